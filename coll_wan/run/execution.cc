// SPDX-License-Identifier: BSD-3-Clause
#include "run/execution.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/invariant.h"

namespace wan {

namespace {
std::size_t at(StepIndex index) { return static_cast<std::size_t>(index); }
}  // namespace

Execution::Execution(const Program& program, Transport& transport, std::function<void(int)> finished)
    : program_(program), transport_(transport), finished_(std::move(finished)), lanes_(at(program.lanes())) {
  for (StepIndex i = 0; i < program_.size(); ++i)
    if (Lane* const lane = lane_of(i)) lane->steps.push_back(i);
}

/// nullptr for a local step.
Execution::Lane* Execution::lane_of(StepIndex index) {
  const std::int32_t lane = program_.lane_of(index);
  return lane < 0 ? nullptr : &lanes_[at(lane)];
}

void Execution::start() {
  const StepIndex steps = program_.size();
  waits_.resize(at(steps));
  for (StepIndex i = 0; i < steps; ++i) waits_[at(i)] = static_cast<std::int32_t>(program_.step(i).after.size());
  progress_.assign(at(steps), Progress::waiting);
  for (Lane& lane : lanes_) lane.issued = lane.under_way = 0;
  outstanding_ = steps;
  status_ = 0;
  running_ = true;
  for (StepIndex i = 0; i < steps && status_ == 0; ++i)
    if (program_.step(i).after.empty()) make_ready(i);
  run_local_steps();
  drain();
}

void Execution::completed(StepIndex index, int status) {
  {
    const std::scoped_lock lock(mutex_);
    inbox_.push_back({index, status});
    if (std::exchange(running_, true)) return;
  }
  drain();
}

/// Works off the inbox until it is empty or the call has ended; the caller has set running_.
void Execution::drain() {
  std::vector<Completion> batch;
  for (;;) {
    const Turn turn = next_turn(batch);
    if (turn == Turn::pause) return;
    if (turn == Turn::end) break;
    for (const Completion& completion : batch) settle(completion);
    run_local_steps();
  }
  const auto finished = finished_;  // outlives *this, which may be destroyed by the call
  finished(status_);
}

Execution::Turn Execution::next_turn(std::vector<Completion>& batch) {
  const std::scoped_lock lock(mutex_);
  batch.clear();
  batch.swap(inbox_);
  if (!batch.empty()) return Turn::work;
  running_ = false;
  return outstanding_ == 0 ? Turn::end : Turn::pause;
}

void Execution::settle(Completion completion) {
  invariant(progress_[at(completion.index)] == Progress::under_way, "a message completed twice or unasked");
  progress_[at(completion.index)] = Progress::done;
  --outstanding_;
  if (completion.status != 0) fail(completion.status);
  if (status_ != 0) return;
  release_dependents(completion.index);
  Lane& lane = *lane_of(completion.index);
  --lane.under_way;
  issue(lane);
}

void Execution::release_dependents(StepIndex index) {
  for (const StepIndex dependent : program_.dependents(index))
    if (--waits_[at(dependent)] == 0) make_ready(dependent);
}

void Execution::make_ready(StepIndex index) {
  progress_[at(index)] = Progress::ready;
  if (Lane* const lane = lane_of(index)) return issue(*lane);
  local_ready_.push_back(index);
  std::ranges::push_heap(local_ready_, std::greater{});
}

/// Starts the messages of a lane up to the first that has to wait.
void Execution::issue(Lane& lane) {
  while (lane.issued < lane.steps.size()) {
    const StepIndex index = lane.steps[lane.issued];
    const Step step = program_.step(index);
    if (progress_[at(index)] != Progress::ready) return;
    if (step.kind == StepKind::send && lane.under_way == kMostSends) return;
    ++lane.issued;
    ++lane.under_way;
    progress_[at(index)] = Progress::under_way;
    if (step.kind == StepKind::send)
      transport_.send(index, step);
    else
      transport_.receive(index, step);
  }
}

void Execution::run_local_steps() {
  while (!local_ready_.empty() && status_ == 0) {
    std::ranges::pop_heap(local_ready_, std::greater{});
    const StepIndex index = local_ready_.back();
    local_ready_.pop_back();
    run_local_step(index);
  }
}

void Execution::run_local_step(StepIndex index) {
  const Step step = program_.step(index);
  const int status = step.kind == StepKind::copy ? transport_.copy(step) : transport_.reduce(step);
  progress_[at(index)] = Progress::done;
  --outstanding_;
  if (status != 0) return fail(status);
  release_dependents(index);
}

/// The first error ends the call: nothing more is issued, what is under way is cancelled and awaited.
void Execution::fail(int status) {
  if (status_ != 0) return;
  status_ = status;
  local_ready_.clear();
  outstanding_ = static_cast<std::int32_t>(std::ranges::count(progress_, Progress::under_way));
  for (StepIndex i = 0; i < program_.size(); ++i)
    if (progress_[at(i)] == Progress::under_way) transport_.cancel(i);
}

}  // namespace wan
