// SPDX-License-Identifier: BSD-3-Clause
// A running (or, persistent, repeatable) collective call: one or several stages, each a program on its memory
// with its messages and its execution. All but the last, its inquiries, are run once, and what it awaits is
// awaited once. It keeps its communicator. Threads: as Execution. Tested by: tests/mpi.
#pragma once

#include <list>
#include <memory>
#include <optional>

#include "mca/pml_transport.h"
#include "mca/task.h"
#include "run/execution.h"

namespace wan {

using Finished = std::function<void(int status)>;

/// Keeps a communicator, and the one of its group that an intercommunicator has: the user may free it while a
/// call on it is under way, which then still needs both and its module.
class CommunicatorReference {
 public:
  explicit CommunicatorReference(ompi_communicator_t* comm)
      : comm_(comm), inside_(OMPI_COMM_IS_INTER(comm) ? comm->c_local_comm : nullptr) {
    OBJ_RETAIN(comm_);
    if (inside_ != nullptr) OBJ_RETAIN(inside_);
  }
  CommunicatorReference(const CommunicatorReference&) = delete;
  CommunicatorReference& operator=(const CommunicatorReference&) = delete;
  ~CommunicatorReference() {
    if (inside_ != nullptr) OBJ_RELEASE(inside_);
    OBJ_RELEASE(comm_);
  }

 private:
  ompi_communicator_t *comm_, *inside_;
};

class Stage {
 public:
  Stage(Channel channel, std::shared_ptr<const Program> program, UserBuffer input, UserBuffer output,
        ompi_op_t* op, ompi_datatype_t* element, Finished finished)
      : finished_(std::move(finished)),
        program_(std::move(program)),
        memory_(std::move(input), std::move(output), program_->lengths(), element),
        transport_(channel, memory_, *program_, op, element),
        execution_(
            *program_, transport_, [this](int status) { end(status); }, channel.lead) {
    transport_.attach(execution_);
  }

  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  void start() { execution_.start(); }

 private:
  void end(int status) {
    const Finished finished = finished_;  // a copy: the call may destroy *this
    finished(status == OMPI_SUCCESS ? memory_.status() : status);
  }

  Finished finished_;
  std::shared_ptr<const Program> program_;
  Memory memory_;
  PmlTransport transport_;
  Execution execution_;
};

class Operation {
 public:
  /// finished(status): as Execution's, once for each start().
  Operation(Task&& task, Finished finished)
      : reference_(task.channel.comm), task_(std::move(task)), finished_(std::move(finished)) {
    if (task_.program) make_call(task_.program, std::move(task_.input), std::move(task_.output));
  }

  /// Once there is one; otherwise nullptr.
  const Plan* plan() const { return plan_; }

  void start() {
    if (call_) return call_->start();
    asked_.clear();  // of a start that failed
    if (task_.awaits == nullptr) return go_on(OMPI_SUCCESS);
    task_.awaits->await([this](int status) { go_on(status); });
  }

 private:
  struct Asked {
    Inquiry inquiry;
    std::optional<Stage> stage = {};
  };
  /// Runs `step`; was there memory for it? If not, the call has ended. Planning happens where Open MPI makes
  /// progress, which no exception may leave.
  template <class Step>
  bool had_memory(Step step) {
    try {
      step();
      return true;
    } catch (const std::bad_alloc&) {
      const Finished finished = finished_;  // a copy: the call may destroy *this
      finished(OMPI_ERR_OUT_OF_RESOURCE);
      return false;
    }
  }
  Channel without_streams() const {
    Channel channel = task_.channel;
    channel.peers = nullptr;
    return channel;
  }
  /// Once.
  void make_call(std::shared_ptr<const Plan> program, UserBuffer input, UserBuffer output) {
    plan_ = program.get();
    const Channel channel = plan_->uses_streams ? task_.channel : without_streams();
    call_.emplace(channel, std::move(program), std::move(input), std::move(output), task_.op, task_.element,
                  finished_);
  }
  /// The task keeps its buffers until that has succeeded: a start that fails may be repeated.
  void plan_call() {
    make_call(task_.plan(), task_.input, task_.output);
    task_.input = task_.output = {};
  }
  void go_on(int status) {
    if (status != OMPI_SUCCESS) return Finished(finished_)(status);  // a copy: the call may destroy *this
    if (asked_.size() < task_.inquiries.size()) {
      if (had_memory([this] { prepare(task_.inquiries[asked_.size()]()); })) asked_.back().stage->start();
    } else if (had_memory([this] { plan_call(); })) {
      call_->start();
    }
  }
  void prepare(Inquiry inquiry) {
    Asked& next = asked_.emplace_back(std::move(inquiry));
    next.stage.emplace(
        without_streams(), next.inquiry.program(), next.inquiry.told(), next.inquiry.heard(), nullptr,
        nullptr, [this](int status) {
          if (status == OMPI_SUCCESS && !had_memory([this] { asked_.back().inquiry.finish(); })) return;
          go_on(status);
        });
  }

  CommunicatorReference reference_;  ///< first: goes last
  Task task_;
  Finished finished_;
  std::list<Asked> asked_;      ///< those that have ended too: each goes on from within the one before
  const Plan* plan_ = nullptr;  ///< which call_ keeps
  std::optional<Stage> call_;
};

}  // namespace wan
