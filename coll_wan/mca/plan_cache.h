// SPDX-License-Identifier: BSD-3-Clause
// Keeps the Programs of the latest calls of a communicator: a program calls the same collectives again and
// again. Bounded: at most `capacity` Programs, the oldest goes first. A running call holds its own reference.
// Threads: any. Tested by: tests/unit.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "plan/program.h"

namespace wan {

class PlanCache {
 public:
  /// Whatever tells two plans apart.
  using Key = std::vector<Count>;

  explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

  /// The Program kept under `key`, or the one that make() returns, which is then kept.
  template <class Make>
  std::shared_ptr<const Program> get(const Key& key, Make make) {
    std::lock_guard lock(mutex_);
    auto found = plans_.find(key);
    return found != plans_.end() ? found->second : keep(key, std::make_shared<const Program>(make()));
  }

 private:
  std::shared_ptr<const Program> keep(const Key& key, std::shared_ptr<const Program> plan) {
    if (order_.size() == capacity_) {
      plans_.erase(order_.front());
      order_.pop_front();
    }
    order_.push_back(plans_.emplace(key, plan).first);
    return plan;
  }

  using Plans = std::map<Key, std::shared_ptr<const Program>>;
  std::size_t capacity_;
  std::mutex mutex_;
  Plans plans_;
  std::deque<Plans::iterator> order_;  ///< by age
};

}  // namespace wan
