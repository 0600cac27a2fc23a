// SPDX-License-Identifier: BSD-3-Clause
#include "mca/progress.h"

extern "C" {
static int wan_poll() noexcept {
  return wan::progress().poll();
}
}

namespace wan {
namespace {

thread_local bool polling = false;

/// Of what only threads of a process with MPI_THREAD_MULTIPLE can do at the same time: waiting for a message, a process asks
/// for it millions of times a second.
std::unique_lock<std::mutex> locked(std::mutex& mutex) {
  return opal_using_threads() ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

}  // namespace

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
  if (!registered_) opal_progress_register(wan_poll);
  registered_ = true;
  if (queue.empty()) queues_.push_back(&queue);
  queue.push(message);
  under_way_.fetch_add(1, std::memory_order_release);
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
    while (!queue->empty() && REQUEST_COMPLETE(queue->first_->request)) {
      opal_atomic_rmb();
      WatchedMessage& message = queue->pop();
      message.status = message.request->req_status.MPI_ERROR;
      ompi_request_free(&message.request);
      completed.push(message);
      under_way_.fetch_sub(1, std::memory_order_relaxed);
    }
  std::erase_if(queues_, [](const Queue* queue) { return queue->empty(); });
  return completed;
}

int Progress::poll() {
  if (under_way_.load(std::memory_order_acquire) == 0 || polling) return 0;
  polling = true;
  Queue completed = take_completed();
  int told = 0;
  for (; !completed.empty(); ++told) {
    const WatchedMessage& message = completed.pop();  // its owner may be gone once it has been told
    message.owner->message_completed(message.index, message.status);
  }
  polling = false;
  return told;
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
