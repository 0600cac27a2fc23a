// SPDX-License-Identifier: BSD-3-Clause
// How much longer calls take than the links let any plan take: what they took, over the lower bound
// (cost/bounds.h) by the links as they were stated, and by the links as they are believed to be. The first
// can be compared between beliefs; the second tells whether a belief can be right. Plain data, and a sum that
// any thread adds to. Tested by: tests/unit/learn_proving.cc.
#pragma once

#include <atomic>

#include "base/types.h"

namespace wan {

/// Of some calls, summed.
struct Spent {
  Nanoseconds took = 0;
  Nanoseconds bound_as_stated = 0, bound_as_believed = 0;

  Spent since(const Spent& earlier) const {
    return {took - earlier.took, bound_as_stated - earlier.bound_as_stated,
            bound_as_believed - earlier.bound_as_believed};
  }
};

/// That of the calls that were planned by one belief. Threads: any.
class SpentTime {
 public:
  void add(const Spent& call) {
    took_.fetch_add(call.took, std::memory_order_relaxed);
    as_stated_.fetch_add(call.bound_as_stated, std::memory_order_relaxed);
    as_believed_.fetch_add(call.bound_as_believed, std::memory_order_relaxed);
  }
  Spent sum() const {
    return {took_.load(std::memory_order_relaxed), as_stated_.load(std::memory_order_relaxed),
            as_believed_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<Nanoseconds> took_{0}, as_stated_{0}, as_believed_{0};
};

/// In thousandths. Of all processes together each is the highest, which is that of the one that waited most.
struct Slowness {
  std::int32_t as_stated = 0, as_believed = 0;  ///< 0: there were no calls
  static Slowness of(const Spent& spent);
};

}  // namespace wan
