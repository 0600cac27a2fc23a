// SPDX-License-Identifier: BSD-3-Clause
// Keeps the Programs of the latest calls of a communicator: a program calls the same collectives again and
// again. Bounded: Programs and what tells them apart take up `capacity` bytes at most, or are one; the one that was
// not used for longest goes first. A running call holds its own reference. Threads: any. Tested by: tests/unit.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "plan/call.h"
#include "plan/program.h"

namespace wan {

class PlanCache {
 public:
  explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

  /// The Program kept for `call`, or the one that make() returns, which is then kept.
  template <class Make>
  std::shared_ptr<const Program> get(const Call& call, Make make) {
    std::lock_guard lock(mutex_);
    const auto found = places_.find(call);
    if (found == places_.end()) return keep(call, std::make_shared<const Program>(make()));
    plans_.splice(plans_.begin(), plans_, found->second);
    return found->second->program;
  }

 private:
  struct Plan {
    Call call;
    std::shared_ptr<const Program> program;
    std::size_t bytes;
  };
  struct Hash {
    std::size_t operator()(const Call& call) const;
  };
  using Plans = std::list<Plan>;
  using Reference = std::reference_wrapper<const Call>;

  std::shared_ptr<const Program> keep(const Call& call, std::shared_ptr<const Program> program);

  const std::size_t capacity_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  Plans plans_;  ///< latest used first
  std::unordered_map<Reference, Plans::iterator, Hash, std::equal_to<const Call>> places_;
};

}  // namespace wan
