// SPDX-License-Identifier: BSD-3-Clause
// What other ranks have to do after an irregular exchange, as they say with the info key coll_wan_post_load.
// Each time the key is given to a communicator, the next ordered call that is made asks for it
// (mca/inquiry.h), on all ranks alike; it and the calls that are made later send in the order of the answers.
// Threads: any. Tested by: tests/mpi/mpi_order.cc.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/types.h"

namespace wan {

class ReceiverLoads {
 public:
  /// Must the call that is being made ask, now that the key has been given so often
  /// (InfoKeys::post_loads_given())? True once for each number, so equal on all ranks, which make their calls
  /// in the same order.
  bool are_due(int given) {
    std::lock_guard lock(mutex_);
    return std::exchange(asked_, given) != given;
  }
  /// The answers of `ranks` to the call that asked when the key had been given so often. Calls may end in
  /// another order.
  void learn(int given, std::span<const Rank> ranks, std::span<const Count> loads) {
    std::lock_guard lock(mutex_);
    if (given < answered_) return;
    answered_ = given;
    loads_.clear();
    for (std::size_t i = 0; i < ranks.size(); ++i) loads_[ranks[i]] = loads[i];
  }
  /// 0 if nothing is known.
  Count of(Rank rank) const {
    std::lock_guard lock(mutex_);
    const auto found = loads_.find(rank);
    return found == loads_.end() ? 0 : found->second;
  }
  /// Of ranks 0 to size - 1; empty if nothing is known.
  std::vector<Count> by_rank(Rank size) const {
    std::lock_guard lock(mutex_);
    if (loads_.empty()) return {};
    std::vector<Count> loads(static_cast<std::size_t>(size), 0);
    for (const auto& [rank, load] : loads_) loads[static_cast<std::size_t>(rank)] = load;
    return loads;
  }

 private:
  mutable std::mutex mutex_;
  int asked_ = 0, answered_ = 0;
  std::map<Rank, Count> loads_;
};

}  // namespace wan
