// SPDX-License-Identifier: BSD-3-Clause
// wan-multicast in SimGrid: the calls of simulated.h, and bench/common/release.h in simulated time. Each
// process has these variables of its own (smpi/privatization).
#include "bench/multicast/simulated.h"

#include <algorithm>
#include <array>
#include <list>
#include <simgrid/s4u.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/invariant.h"
#include "bench/common/release.h"

namespace wan::bench {
namespace {

constexpr int kFrame = 1, kBell = 9;  ///< tags; the first is MpiCarrier's
constexpr useconds_t kStep = 1000;    ///< of polling

/// A frame that the bell has told of, on its way into memory or there.
struct Arrival {
  std::vector<char> bytes;
  MPI_Status status;
  MPI_Request request;  ///< null: it is there
};

MPI_Comm comm_of_bells = MPI_COMM_NULL;
/// A bell from far off takes the first when it is sent, and others from near may come before it.
std::array<MPI_Request, 64> bells;
std::list<Arrival> arrivals;
/// Receives of frames, and what stands for their requests.
std::list<void*> slots;
/// What the library has asked for last, and what of it has ended since.
std::span<MPI_Request> asked_for;
std::vector<std::pair<int, MPI_Status>> ended;
bool polls = false;  ///< something is waited for that Waitany does not know

void await(MPI_Request& bell) {
  MPI_Irecv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, kBell, comm_of_bells, &bell);
}

/// The bell has been rung by `source`: there is one message more of it.
void receive(int source) {
  int flag = 0;
  Arrival& next = arrivals.emplace_back();
  MPI_Iprobe(source, kFrame, comm_of_bells, &flag, &next.status);
  invariant(flag != 0, "a bell without a message");
  int bytes = 0;
  MPI_Get_count(&next.status, MPI_BYTE, &bytes);
  next.bytes.resize(static_cast<std::size_t>(bytes));
  MPI_Irecv(next.bytes.data(), bytes, MPI_BYTE, source, kFrame, comm_of_bells, &next.request);
}

MPI_Request request_of(void*& slot) {
  return reinterpret_cast<MPI_Request>(&slot);
}

/// Else MPI knows it.
bool is_slot(MPI_Request request) {
  return std::ranges::any_of(slots, [&](void*& slot) { return request_of(slot) == request; });
}

/// The next of its source.
std::list<Arrival>::iterator next_frame() {
  std::vector<int> waiting;
  return std::ranges::find_if(arrivals, [&](const Arrival& each) {
    const int source = each.status.MPI_SOURCE;
    const bool is_next =
        each.request == MPI_REQUEST_NULL && std::ranges::find(waiting, source) == waiting.end();
    if (!is_next) waiting.push_back(source);
    return is_next;
  });
}

/// The next message that comes, or the end of one that does: waits for it, or looks whether it is there.
template <class Look>
void take_event(Look look) {
  std::vector<MPI_Request*> places;
  for (MPI_Request& bell : bells) places.push_back(&bell);
  for (Arrival& each : arrivals)
    if (each.request != MPI_REQUEST_NULL) places.push_back(&each.request);
  for (MPI_Request& each : asked_for)
    if (each != MPI_REQUEST_NULL && !is_slot(each)) places.push_back(&each);
  std::vector<MPI_Request> requests;
  for (const MPI_Request* each : places) requests.push_back(*each);
  int index = MPI_UNDEFINED;
  MPI_Status status;
  look(static_cast<int>(requests.size()), requests.data(), &index, &status);
  if (index == MPI_UNDEFINED) return;
  MPI_Request& request = *places[static_cast<std::size_t>(index)];
  request = MPI_REQUEST_NULL;
  if (static_cast<std::size_t>(index) < bells.size()) {
    await(request);
    receive(status.MPI_SOURCE);
  } else if (const auto at = &request - asked_for.data();
             at >= 0 && at < static_cast<std::ptrdiff_t>(asked_for.size())) {
    ended.emplace_back(static_cast<int>(at), status);
  }
}

}  // namespace
}  // namespace wan::bench

using namespace wan::bench;

int wan_isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int error = MPI_Isend(data, count, type, to, tag, comm, request);
  if (tag == kFrame) MPI_Send(nullptr, 0, MPI_BYTE, to, kBell, comm);
  return error;
}

int wan_irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (from != MPI_ANY_SOURCE) return MPI_Irecv(data, count, type, from, tag, comm, request);
  if (std::exchange(comm_of_bells, comm) == MPI_COMM_NULL) std::ranges::for_each(bells, await);
  *request = request_of(slots.emplace_back(data));
  return MPI_SUCCESS;
}

int wan_testsome(int count, MPI_Request requests[], int* done, int places[], MPI_Status statuses[]) {
  *done = 0;
  asked_for = {requests, static_cast<std::size_t>(count)};
  const auto report = [&](int place, const MPI_Status& status) {
    places[*done] = place;
    statuses[(*done)++] = status;
  };
  for (const auto& [place, status] : std::exchange(ended, {})) report(place, status);
  for (auto frame = next_frame(); frame != arrivals.end() && !slots.empty(); frame = next_frame()) {
    const auto request = std::ranges::find(asked_for, request_of(slots.front()));
    std::ranges::copy(frame->bytes, static_cast<char*>(slots.front()));
    *request = MPI_REQUEST_NULL;
    report(static_cast<int>(request - asked_for.begin()), frame->status);
    slots.pop_front();
    arrivals.erase(frame);
  }
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL || is_slot(requests[i])) continue;
    int flag = 0;
    MPI_Status status;
    MPI_Test(&requests[i], &flag, &status);
    if (flag != 0) report(i, status);
  }
  return MPI_SUCCESS;
}

int wan_cancel(MPI_Request* request) {
  return is_slot(*request) ? MPI_SUCCESS : MPI_Cancel(request);
}

int wan_wait(MPI_Request* request, MPI_Status* status) {
  if (!is_slot(*request)) return MPI_Wait(request, status);
  std::erase_if(slots, [&](void*& slot) { return request_of(slot) == *request; });
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int wan_comm_free(MPI_Comm* comm) {
  for (MPI_Request& bell : bells) {
    MPI_Cancel(&bell);
    MPI_Wait(&bell, MPI_STATUS_IGNORE);
  }
  comm_of_bells = MPI_COMM_NULL;
  return MPI_Comm_free(comm);
}

int wan_ibarrier(MPI_Comm comm, MPI_Request* request) {
  polls = true;
  return MPI_Ibarrier(comm, request);
}

int wan_ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return MPI_Reduce_scatter_block(data, result, count, type, op, comm);
}

int wan_test(MPI_Request* request, int* flag, MPI_Status* status) {
  const bool is_there = *request == MPI_REQUEST_NULL;
  MPI_Status own;
  const int error = MPI_Test(request, flag, status == MPI_STATUS_IGNORE ? &own : status);
  if (!is_there && *flag != 0) polls = false;
  return error;
}

extern "C" int wan_await_message() noexcept {
  if (polls) smpi_usleep(kStep);
  take_event([](int count, MPI_Request* requests, int* index, MPI_Status* status) {
    int flag = 0;
    if (polls)
      MPI_Testany(count, requests, index, &flag, status);
    else
      MPI_Waitany(count, requests, index, status);
  });
  return 0;
}

namespace wan::bench {
namespace {

/// From the news of a round to its release: longer than the news takes.
constexpr Nanoseconds kAhead = 1'000'000'000;

/// Messages of a link that the platform gives the property "messages" follow each other, so many at a time,
/// as in a TCP connection. SimGrid has all of them share its bandwidth: those of a full window would end
/// together, and the link be idle until the next ones come.
void limit_messages() {
  for (simgrid::s4u::Link* link : simgrid::s4u::Engine::get_instance()->get_all_links())
    if (const char* const messages = link->get_property("messages"))
      link->set_concurrency_limit(std::stoi(messages));
}

}  // namespace

Nanoseconds now_ns() {
  return static_cast<Nanoseconds>(MPI_Wtime() * 1e9);
}

Release::Release(MPI_Comm comm, Rehearsal rehearsal) : rehearsal_(rehearsal), ahead_ns_(kAhead) {
  MPI_Comm_dup(comm, &comm_);
  MPI_Comm_rank(comm_, &me_);
  MPI_Comm_size(comm_, &size_);
  if (leads()) limit_messages();
}

Release::~Release() {
  MPI_Comm_free(&comm_);
}

/// All ranks call one of order() and next() for each round, and agree on the instant.
Order Release::order(std::int64_t round, Nanoseconds work_ns) {
  const Nanoseconds now = now_ns();
  Order order{.round = round, .work_ns = work_ns};
  MPI_Allreduce(&now, &order.release_ns, 1, MPI_INT64_T, MPI_MAX, comm_);
  MPI_Bcast(&order.round, 1, MPI_INT64_T, 0, comm_);
  order.release_ns += kAhead;
  return order;
}

std::optional<Order> Release::next() {
  return order(0, 0);
}

Nanoseconds Release::await(const Order& order, const std::function<void()>&) {
  const Nanoseconds notice = order.release_ns - now_ns();
  const timespec left{notice / 1'000'000'000, notice % 1'000'000'000};
  smpi_nanosleep(&left, nullptr);
  return notice;
}

std::vector<Finish> Release::report(const Order&, const Finish& own, const std::function<bool()>& is_right) {
  MPI_Barrier(comm_);
  Finish finish = own;
  finish.wrong = is_right() ? 0 : 1;
  std::vector<Finish> all(leads() ? static_cast<std::size_t>(size_) : 0);
  MPI_Gather(&finish, sizeof finish, MPI_BYTE, all.data(), sizeof finish, MPI_BYTE, 0, comm_);
  return all;
}

}  // namespace wan::bench
