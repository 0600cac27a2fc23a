// SPDX-License-Identifier: BSD-3-Clause
#include "mca/progress.h"

extern "C" {
static int wan_poll() noexcept {
  return wan::progress().poll();
}
}

namespace wan {
namespace {

thread_local bool telling = false;

}  // namespace

void Progress::watch(ompi_request_t* request, Queue& queue, MessageOwner& owner, StepIndex index) {
  std::lock_guard lock(mutex_);
  if (!registered_) opal_progress_register(wan_poll);
  registered_ = true;
  if (queue.requests_.empty()) queues_.push_back(&queue);
  queue.requests_.push_back({request, &owner, index});
  under_way_.fetch_add(1, std::memory_order_release);
}

void Progress::cancel(MessageOwner& owner, StepIndex index) {
  std::lock_guard lock(mutex_);
  for (Queue* queue : queues_)
    for (const Watched& watched : queue->requests_)
      if (watched.owner == &owner && watched.index == index) ompi_request_cancel(watched.request);
}

void Progress::take_completed(Queue& queue, std::vector<Completion>& completions) {
  while (!queue.requests_.empty()) {
    Watched& first = queue.requests_.front();
    if (!REQUEST_COMPLETE(first.request)) return;
    opal_atomic_rmb();
    completions.push_back({first.owner, first.index, first.request->req_status.MPI_ERROR});
    ompi_request_free(&first.request);
    queue.requests_.pop_front();
  }
}

std::vector<Progress::Completion> Progress::take_completed() {
  std::vector<Completion> completions;
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return completions;
  for (Queue* queue : queues_) take_completed(*queue, completions);
  std::erase_if(queues_, [](const Queue* queue) { return queue->requests_.empty(); });
  under_way_.fetch_sub(completions.size(), std::memory_order_relaxed);
  return completions;
}

int Progress::poll() {
  if (under_way_.load(std::memory_order_acquire) == 0 || telling) return 0;
  std::vector<Completion> completions = take_completed();
  telling = true;
  for (const Completion& c : completions) c.owner->message_completed(c.index, c.status);
  telling = false;
  return static_cast<int>(completions.size());
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
