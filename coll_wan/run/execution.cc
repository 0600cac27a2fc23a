// SPDX-License-Identifier: BSD-3-Clause
#include "run/execution.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/index.h"
#include "base/invariant.h"

namespace wan {

Execution::Execution(const Program& program, Transport& transport, std::function<void(int)> finished,
                     Lead lead)
    : program_(program),
      transport_(transport),
      finished_(std::move(finished)),
      queues_(at(program.queues())),
      states_(at(program.size())),
      lead_(lead) {
  StepIndex local_steps = 0;
  for (StepIndex i = 0; i < program.size(); ++i) local_steps += program.queue_of(i) < 0;
  local_ready_.reserve(at(local_steps));
  held_.reserve(at(program.queues()));
  woken_queues_.reserve(at(program.queues()));
}

void Execution::start() {
  const StepIndex steps = program_.size();
  for (StepIndex i = 0; i < steps; ++i)
    state(i) = {static_cast<std::int32_t>(program_.step(i).after.size()), Progress::waiting};
  for (Queue& queue : queues_) queue = {};
  held_.clear();
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
    invariant(state(index).told == kUntold, "a message completed twice or unasked");
    state(index).told = kNone;
    state(index).status = status;
    (last_told_ == kNone ? first_told_ : state(last_told_).told) = index;
    last_told_ = index;
    if (std::exchange(running_, true)) return;
  }
  drain();
}

void Execution::woken() {
  {
    const std::scoped_lock lock(mutex_);
    woken_ = true;
    if (std::exchange(running_, true)) return;
  }
  drain();
}

/// Works off the inbox until it is empty or the call has ended; the caller has set running_.
void Execution::drain() {
  for (StepIndex told = kNone;;) {
    bool woken = false;
    const Turn turn = next_turn(told, woken);
    if (turn == Turn::pause) return;
    if (turn == Turn::end) break;
    for (; told != kNone; told = state(told).told) settle(told);
    if (woken) issue_held();
    run_local_steps();
  }
  const auto finished = finished_;  // outlives *this, which may be destroyed by the call
  finished(status_);
}

/// first: of what the inbox held.
Execution::Turn Execution::next_turn(StepIndex& first, bool& woken) {
  const std::scoped_lock lock(mutex_);
  first = std::exchange(first_told_, kNone);
  last_told_ = kNone;
  woken = std::exchange(woken_, false);
  if (first != kNone || woken) return Turn::work;
  running_ = false;
  return outstanding_ == 0 ? Turn::end : Turn::pause;
}

void Execution::settle(StepIndex index) {
  invariant(state(index).progress == Progress::under_way, "a message completed twice or unasked");
  state(index).progress = Progress::done;
  --outstanding_;
  if (state(index).status != 0) fail(state(index).status);
  if (status_ != 0) return;
  release_dependents(index);
  const std::int32_t queue = program_.queue_of(index);
  --queues_[at(queue)].under_way;
  issue(queue);
}

void Execution::release_dependents(StepIndex index) {
  for (const StepIndex dependent : program_.dependents(index))
    if (--state(dependent).waits == 0) make_ready(dependent);
}

void Execution::make_ready(StepIndex index) {
  state(index).progress = Progress::ready;
  if (const std::int32_t queue = program_.queue_of(index); queue >= 0) return issue(queue);
  local_ready_.push_back(index);
  std::ranges::push_heap(local_ready_, std::greater{});
}

/// Starts the messages of a queue up to the first that has to wait.
void Execution::issue(std::int32_t number) {
  while (issue_next(number)) {
  }
}

/// Starts the next message of a queue; false: it has to wait, or there is none.
bool Execution::issue_next(std::int32_t number) {
  constexpr std::int32_t kAlways = 2;  // so many are under way whatever room they take
  Queue& queue = queues_[at(number)];
  const StepIndex index = next_step(number);
  if (queue.held || index == kNone || state(index).progress != Progress::ready) return false;
  const Step step = program_.step(index);
  const bool is_send = step.kind == StepKind::send;
  SendLimit limit = program_.send_limit(number);
  if (lead_ != Lead::brief) limit.first = limit.most;
  if (is_send && !limit.allows(queue.issued, queue.under_way)) return false;
  if (queue.under_way >= kAlways && !transport_.has_room(index, step)) return false;
  if (is_send && !transport_.admits(index, step)) {
    hold(number);
    return false;
  }
  ++queue.issued;
  ++queue.under_way;
  state(index).progress = Progress::under_way;
  is_send ? transport_.send(index, step) : transport_.receive(index, step);
  return true;
}

void Execution::hold(std::int32_t number) {
  queues_[at(number)].held = true;
  held_.push_back(number);
  if (held_.size() == 1) transport_.wake_later();
}

/// After waking, step by step; those that are not admitted yet are held again.
void Execution::issue_held() {
  if (status_ != 0) {
    --outstanding_;
    return;
  }
  woken_queues_.swap(held_);
  held_.clear();
  const auto later = [&](std::int32_t one, std::int32_t other) { return next_step(one) > next_step(other); };
  std::ranges::make_heap(woken_queues_, later);
  for (const std::int32_t number : woken_queues_) queues_[at(number)].held = false;
  while (!woken_queues_.empty()) {
    std::ranges::pop_heap(woken_queues_, later);
    const std::int32_t number = woken_queues_.back();
    woken_queues_.pop_back();
    if (!issue_next(number) || next_step(number) == kNone) continue;
    woken_queues_.push_back(number);
    std::ranges::push_heap(woken_queues_, later);
  }
}

/// kNone: all have been issued.
StepIndex Execution::next_step(std::int32_t number) const {
  const auto steps = program_.queue(number);
  const auto next = at(queues_[at(number)].issued);
  return next == steps.size() ? kNone : steps[next];
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
  state(index).progress = Progress::done;
  --outstanding_;
  if (status != 0) return fail(status);
  release_dependents(index);
}

/// The first error ends the call: nothing more is issued, what is under way is cancelled and awaited.
void Execution::fail(int status) {
  if (status_ != 0) return;
  status_ = status;
  local_ready_.clear();
  outstanding_ =
      static_cast<std::int32_t>(std::ranges::count(states_, Progress::under_way, &State::progress));
  if (!held_.empty()) ++outstanding_;  // the waking will come
  for (StepIndex i = 0; i < program_.size(); ++i)
    if (state(i).progress == Progress::under_way) transport_.cancel(i);
}

}  // namespace wan
