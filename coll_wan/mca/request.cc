// SPDX-License-Identifier: BSD-3-Clause
#include "mca/request.h"

#include <atomic>

#include "mca/operation.h"
#include "mca/progress.h"

namespace wan {
class RequestedCall;
}

extern "C" {

struct wan_request_t {
  ompi_coll_base_nbc_request_t super;
  wan::RequestedCall* call;
};
OBJ_CLASS_DECLARATION(wan_request_t);

static int wan_request_start(std::size_t count, ompi_request_t** requests);
static int wan_request_free(ompi_request_t** request);
static int wan_request_cancel(ompi_request_t* request, int flag);
static void wan_request_construct(wan_request_t* request) {
  request->call = nullptr;
}

OBJ_CLASS_INSTANCE(wan_request_t, ompi_coll_base_nbc_request_t, wan_request_construct, nullptr);
}

namespace wan {
namespace {

class FreeRequests {
 public:
  wan_request_t* take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return OBJ_NEW(wan_request_t);
    wan_request_t* request = free_.back();
    free_.pop_back();
    return request;
  }
  void give(wan_request_t* request) {
    std::lock_guard lock(mutex_);
    free_.push_back(request);
  }
  void discard() {
    std::lock_guard lock(mutex_);
    for (wan_request_t* request : free_) OBJ_RELEASE(request);
    free_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<wan_request_t*> free_;
};

FreeRequests& free_requests() {
  static FreeRequests instance;
  return instance;
}

wan_request_t* own(ompi_request_t* request) {
  return reinterpret_cast<wan_request_t*>(request);
}

void reset_status(ompi_request_t& request) {
  request.req_status.MPI_SOURCE = MPI_ANY_SOURCE;
  request.req_status.MPI_TAG = MPI_ANY_TAG;
  request.req_status.MPI_ERROR = MPI_SUCCESS;
  request.req_status._ucount = 0;
  request.req_status._cancelled = 0;
}

void initialize(wan_request_t* request, Form form, ompi_communicator_t* comm) {
  ompi_request_t& base = request->super.super;
  OMPI_REQUEST_INIT(&base, form == Form::persistent);
  base.req_type = OMPI_REQUEST_COLL;
  base.req_start = wan_request_start;
  base.req_free = wan_request_free;
  base.req_cancel = wan_request_cancel;
  base.req_mpi_object.comm = comm;
  reset_status(base);
  ompi::clear_retained(request->super);
}

/// Who waits in a blocking call where processes share processors looks at the messages all the time.
Lead lead_of(Form form) {
  return form == Form::blocking && Progress::gives_way() ? Lead::brief : Lead::full;
}

}  // namespace

/// The call of a request.
///
/// A nonblocking call never completes while it is started: what it needs may have come before, when the same
/// of an earlier call has come but has not been noticed yet. Calls that get what they need in one order
/// complete in that order. MPI_Comm_idup relies on it, where several are under way: its leaders exchange with
/// one tag what they have reduced, as the reductions complete.
class RequestedCall final : private Sleeper {
 public:
  RequestedCall(ompi_request_t& request, Form form, Task&& task)
      : request_(request),
        form_(form),
        statistics_(task.channel.statistics),
        explains_(task.channel.explains),
        operation_(std::move(task), [this](int status) { end(status); }) {}

  void start() {
    began_ = Progress::now();
    is_starting_ = true;
    operation_.start();
    is_starting_ = false;
  }

 private:
  void end(int status) {
    request_.req_status.MPI_ERROR = status;
    if (status == OMPI_SUCCESS) count();
    if (is_starting_ && form_ != Form::blocking) return progress().wake(*this, Progress::now());
    ompi_request_complete(&request_, true);
  }
  void count() {
    const Plan* const plan = operation_.plan();
    if (plan == nullptr || !plan->record || statistics_ == nullptr) return;
    const Nanoseconds took = Progress::now() - began_;
    plan->count(took);
    PlanRecord* const record = plan->record.get();
    statistics_->count_call(record->facts(), record->times_of(took));
    if (is_told_after(record->count(took)) && explains_ && !record->title().empty())
      opal_output(0, "coll_wan: %s", observed_text(*record).c_str());
  }
  void woken() override { ompi_request_complete(&request_, true); }

  ompi_request_t& request_;
  Form form_;
  Statistics* statistics_;
  bool explains_;
  Nanoseconds began_ = 0;
  std::atomic<bool> is_starting_ = false;
  Operation operation_;
};

ompi_request_t* make_request(Form form, Task&& task) {
  task.channel.lead = lead_of(form);
  wan_request_t* request = free_requests().take();
  initialize(request, form, task.channel.comm);
  request->call = new RequestedCall(request->super.super, form, std::move(task));
  return &request->super.super;
}

void start(ompi_request_t* request) {
  reset_status(*request);
  request->req_complete = REQUEST_PENDING;
  request->req_state = OMPI_REQUEST_ACTIVE;
  own(request)->call->start();
  // One whose messages all leave at once, call after call, would otherwise never hear that somebody has died,
  // or revoked.
  if (ompi::survives_failures()) opal_progress();
}

int finish(ompi_request_t* request) {
  progress().await(request);
  int status = request->req_status.MPI_ERROR;
  wan_request_free(&request);
  return status;
}

void discard_free_requests() {
  free_requests().discard();
}

}  // namespace wan

extern "C" {

static int wan_request_start(std::size_t count, ompi_request_t** requests) {
  for (std::size_t i = 0; i < count; ++i) wan::start(requests[i]);
  return OMPI_SUCCESS;
}

static int wan_request_free(ompi_request_t** request) {
  wan_request_t* mine = wan::own(*request);
  if (!REQUEST_COMPLETE(*request)) return MPI_ERR_REQUEST;
  delete mine->call;
  mine->call = nullptr;
  OMPI_REQUEST_FINI(*request);
  wan::free_requests().give(mine);
  *request = MPI_REQUEST_NULL;
  return OMPI_SUCCESS;
}

static int wan_request_cancel(ompi_request_t*, int) {
  return MPI_ERR_REQUEST;
}
}
