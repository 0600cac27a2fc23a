// SPDX-License-Identifier: BSD-3-Clause
#include "mca/progress.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "base/time.h"

extern "C" {
static int wan_poll() noexcept {
  return wan::progress().poll_for_open_mpi();
}
}

namespace wan {
namespace {

/// Is this thread polling already? A thread_local of a plugin costs a call into the dynamic linker, which a
/// process with one thread need not pay.
bool& polling() {
  static bool of_process = false;
  thread_local bool of_thread = false;
  return opal_using_threads() ? of_thread : of_process;
}

/// Of what only threads of a process with MPI_THREAD_MULTIPLE can do at the same time: waiting for a message,
/// a process asks for it millions of times a second.
std::unique_lock<std::mutex> locked(std::mutex& mutex) {
  return opal_using_threads() ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

bool is_over(ompi_request_t* request) {
  return REQUEST_COMPLETE(request) || ompi::ended_by_failure(request);
}

}  // namespace

/// With mutex_ locked, where that is needed.
void Progress::enter() {
  if (!registered_) opal_progress_register(wan_poll);
  registered_ = true;
}

void Progress::Queue::push(WatchedMessage& message) {
  message.next = nullptr;
  (first_ == nullptr ? first_ : last_->next) = &message;
  last_ = &message;
}

WatchedMessage& Progress::Queue::pop() {
  return *std::exchange(first_, first_->next);
}

void Progress::watch(WatchedMessage& message, Queue& queue) {
  const auto lock = locked(mutex_);
  enter();
  if (queue.empty()) queues_.push_back(&queue);
  queue.push(message);
  under_way_.fetch_add(1, std::memory_order_release);
}

void Progress::wake(Sleeper& sleeper, Nanoseconds due) {
  const auto lock = locked(mutex_);
  enter();
  alarms_.push_back({&sleeper, due, alarms_set_.fetch_add(1, std::memory_order_relaxed)});
  sleeping_.fetch_add(1, std::memory_order_release);
}

void Progress::attach(Streams* streams) {
  const auto lock = locked(mutex_);
  enter();
  streams_ = streams;
}

Nanoseconds Progress::now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

void Progress::cancel(MessageOwner& owner, StepIndex index) {
  const auto lock = locked(mutex_);
  for (Queue* queue : queues_)
    for (WatchedMessage* message = queue->first_; message != nullptr; message = message->next)
      if (message->owner == &owner && message->index == index) ompi_request_cancel(message->request);
}

Progress::Queue Progress::take_completed() {
  Queue completed;
  std::unique_lock lock(mutex_, std::defer_lock);
  if (opal_using_threads() && !lock.try_lock()) return completed;
  for (Queue* queue : queues_)
    while (!queue->empty() && is_over(queue->first_->request)) {
      opal_atomic_rmb();
      WatchedMessage& message = queue->pop();
      message.status = message.request->req_status.MPI_ERROR;
      message.bytes = message.request->req_status._ucount;
      ompi_request_free(&message.request);
      completed.push(message);
      under_way_.fetch_sub(1, std::memory_order_relaxed);
    }
  std::erase_if(queues_, [](const Queue* queue) { return queue->empty(); });
  return completed;
}

Sleeper* Progress::take_due(Nanoseconds time, std::uint64_t number) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (opal_using_threads() && !lock.try_lock()) return nullptr;
  const auto alarm = std::ranges::find_if(
      alarms_, [&](const Alarm& each) { return each.due <= time && each.number < number; });
  if (alarm == alarms_.end()) return nullptr;
  Sleeper* const sleeper = alarm->sleeper;
  alarms_.erase(alarm);
  sleeping_.fetch_sub(1, std::memory_order_relaxed);
  return sleeper;
}

int Progress::tell_completed() {
  Queue completed = take_completed();
  int told = 0;
  for (; !completed.empty(); ++told) {
    const WatchedMessage& message = completed.pop();  // its owner may be gone once it has been told
    message.owner->message_completed(message.index, message.status);
  }
  return told;
}

/// Whoever is woken may find that it has to wait again: that is no progress for which a processor is kept.
void Progress::wake_due() {
  const Nanoseconds time = now();
  const std::uint64_t number = alarms_set_.load(std::memory_order_relaxed);
  while (Sleeper* const sleeper = take_due(time, number)) sleeper->woken();
}

int Progress::poll() noexcept {
  const bool awaits = under_way_.load(std::memory_order_acquire) > 0,
             sleeps = sleeping_.load(std::memory_order_acquire) > 0, streams = streams_want();
  if ((!awaits && !sleeps && !streams) || polling()) return 0;
  polling() = true;
  const int told = (streams ? streams_->poll() : 0) + (awaits ? tell_completed() : 0);
  if (sleeps) wake_due();
  polling() = false;
  return told;
}

int Progress::poll_for_open_mpi() {
  return awaiting_ ? 1 : poll();
}

void Progress::await(ompi_request_t* request) {
  // Open MPI's own waiting lets other threads progress meanwhile, and does well where it keeps its processor.
  if (!gives_way()) return ompi_request_wait_completion(request);
  awaiting_ = true;
  // Others who share the processor have calls to begin, and what this one waits for will hardly have come:
  // they go first. Then its first pass takes long, whatever it finds.
  bool first = true;
  for (bool idle = true; !REQUEST_COMPLETE(request); first = false) {
    if (idle) sched_yield();
    const Nanoseconds begin = now();
    opal_progress();
    idle = poll() == 0 && (first || idleness_.was_idle(now() - begin));
  }
  awaiting_ = false;
}

bool Progress::Idleness::was_idle(Nanoseconds pass) {
  constexpr Nanoseconds kLeast = 500;
  constexpr int kMostInARow = 16;
  if (usual_ == 0) usual_ = pass;
  const bool idle = pass <= 2 * usual_ + kLeast || ++in_a_row_ > kMostInARow;
  if (idle) in_a_row_ = 0;
  usual_ += (std::min(pass, 2 * usual_ + kLeast) - usual_) / 16;
  return idle;
}

void Progress::stop() {
  std::lock_guard lock(mutex_);
  if (registered_) opal_progress_unregister(wan_poll);
  registered_ = false;
}

Progress& progress() {
  static Progress instance;
  return instance;
}

}  // namespace wan
