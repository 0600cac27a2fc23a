// SPDX-License-Identifier: BSD-3-Clause
// Something that happens once, and who waits for it. Threads: any. Tested by: tests/unit/process_event.cc.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace wan {

class Event {
 public:
  using Told = std::function<void(int status)>;

  /// How it ended; nullopt if it has not happened yet.
  std::optional<int> status() const {
    std::lock_guard lock(mutex_);
    return status_;
  }
  /// Once; tells those who wait. They may destroy *this.
  void happen(int status) {
    std::unique_lock lock(mutex_);
    status_ = status;
    const std::vector<Told> waiting = std::exchange(waiting_, {});
    lock.unlock();
    for (const Told& each : waiting) each(status);
  }
  /// Calls told(status) when it happens; at once if it has.
  void await(Told told) {
    std::unique_lock lock(mutex_);
    if (!status_) return waiting_.push_back(std::move(told));
    const int status = *status_;
    lock.unlock();
    told(status);
  }

 private:
  mutable std::mutex mutex_;
  std::optional<int> status_;
  std::vector<Told> waiting_;
};

}  // namespace wan
