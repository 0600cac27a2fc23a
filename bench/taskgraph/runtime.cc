// SPDX-License-Identifier: BSD-3-Clause
#include "bench/taskgraph/runtime.h"

#include <chrono>
#include <thread>
#include <utility>

namespace wan::bench {
namespace {

/// Between two looks for messages, while there are none: many processes share a processor here.
constexpr Nanoseconds kShortestNap = 20'000, kLongestNap = 500'000;

Nanoseconds now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

Runtime::Runtime(Graph& graph, Transport& transport, int me, int threads)
    : graph_(graph), transport_(transport), me_(me), threads_(threads), ready_(IsLessUrgent{&graph}) {}

void Runtime::run() {
  for (const Task& task : graph_.entry_tasks())
    if (graph_.owner(task) == me_) make_ready({task});
  std::vector<std::jthread> workers;
  for (int thread = 0; thread < threads_; ++thread) workers.emplace_back([this, thread] { work(thread); });
  for (Nanoseconds nap = kShortestNap; !has_ended_ || !transport_.is_idle();) {
    nap = step() ? kShortestNap : std::min(2 * nap, kLongestNap);
    if (nap > kShortestNap) wait_for_finished(nap);
  }
  const std::lock_guard lock(mutex_);
  invariant(waiting_.empty() && unfinished_ == 0, "the exit task has ended before another task");
  invariant(held_ == 0, "a result outlives its users");
  is_over_ = true;
  has_ready_.notify_all();
}

/// Handles what has happened. False: nothing has.
bool Runtime::step() {
  const std::vector<Finished> finished = take_finished();
  for (const Finished& each : finished) finish(each);
  const std::vector<FinalDatum> arrived = transport_.progress();
  for (const FinalDatum& datum : arrived) arrive(datum);
  return !finished.empty() || !arrived.empty();
}

void Runtime::finish(const Finished& finished) {
  --unfinished_;
  events_.push_back(finished.event);
  const Task& task = finished.event.name.task;
  std::vector<FinalDatum> outputs = finished.outputs;
  if (task == graph_.exit_task()) {
    has_ended_ = true;
    outputs.push_back(std::make_shared<Datum>(Name{task, kEnd}, 0));
  }
  for (const FinalDatum& output : outputs)
    if (const std::vector<int> ranks = destinations(graph_, output->name()); !ranks.empty())
      transport_.send(output, ranks);
  for (const Child& child : graph_.children(task)) {
    if (graph_.owner(child.task) == me_)
      supply(child.task,
             child.output == kInPlace ? nullptr : outputs.at(static_cast<std::size_t>(child.output)));
    else
      invariant(child.output != kInPlace, "a task would change what is in another process");
  }
}

void Runtime::arrive(const FinalDatum& datum) {
  const Name name = datum->name();
  if (name.output == kEnd) {
    has_ended_ = true;
    return;
  }
  std::vector<Task> users;
  for (const Child& child : graph_.children(name.task))
    if (child.output == name.output && graph_.owner(child.task) == me_) users.push_back(child.task);
  if (users.empty()) return;
  events_.push_back({name, -1, now(), now(), datum->byte_count()});
  const FinalDatum held = counted(datum);
  for (const Task& user : users) supply(user, held);
}

/// The same datum, which counts as held until its last user has gone.
FinalDatum Runtime::counted(const FinalDatum& datum) {
  most_held_ = std::max(most_held_, held_ += datum->byte_count());
  return {datum.get(), [this, datum](const Datum* gone) { held_ -= gone->byte_count(); }};
}

/// One parent of a task has ended; nullptr: it has left its result in place.
void Runtime::supply(const Task& task, const FinalDatum& datum) {
  const auto [at, is_new] = waiting_.try_emplace(task);
  Waiting& waiting = at->second;
  if (is_new) waiting = {task, graph_.num_parents(task)};
  if (datum) waiting.inputs.push_back(datum);
  if (--waiting.missing > 0) return;
  make_ready(std::move(waiting));
  waiting_.erase(at);
}

void Runtime::make_ready(Waiting waiting) {
  ++unfinished_;
  const std::lock_guard lock(mutex_);
  ready_.push(std::move(waiting));
  has_ready_.notify_one();
}

std::vector<Runtime::Finished> Runtime::take_finished() {
  const std::lock_guard lock(mutex_);
  return std::exchange(finished_, {});
}

void Runtime::wait_for_finished(Nanoseconds at_most) {
  std::unique_lock lock(mutex_);
  has_finished_.wait_for(lock, std::chrono::nanoseconds(at_most), [this] { return !finished_.empty(); });
}

void Runtime::work(int thread) {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_ready_.wait(lock, [this] { return is_over_ || !ready_.empty(); });
    if (is_over_) return;
    Waiting next = ready_.top();
    ready_.pop();
    lock.unlock();
    Finished finished{{{next.task, 0}, thread, now(), 0, 0}, {}};
    finished.outputs = graph_.execute(next.task, next.inputs);
    finished.event.end = now();
    next.inputs.clear();
    lock.lock();
    finished_.push_back(std::move(finished));
    has_finished_.notify_one();
  }
}

}  // namespace wan::bench
