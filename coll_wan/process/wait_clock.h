// SPDX-License-Identifier: BSD-3-Clause
// For how long at least one of several things is awaited: the union of their times. Looks at the clock only
// when the first begins and the last ends. Threads: end() from any; begin() from one at a time, and before
// the end() of the same thing. Tested by: tests/unit/process_statistics.cc.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/types.h"

namespace wan {

class WaitClock {
 public:
  /// now(): the time.
  template <class Now>
  void begin(Now now) {
    if (awaited_.fetch_add(1, std::memory_order_acq_rel) == 0) since_.store(now(), std::memory_order_release);
  }
  /// What the clock has measured since it began, if this was the last; otherwise 0.
  template <class Now>
  Nanoseconds end(Now now) {
    // As long as this one is awaited nothing begins anew: the beginning is that of its own time.
    const Nanoseconds since = since_.load(std::memory_order_acquire);
    return awaited_.fetch_sub(1, std::memory_order_acq_rel) == 1 ? now() - since : 0;
  }

 private:
  std::atomic<std::int32_t> awaited_{0};
  std::atomic<Nanoseconds> since_{0};
};

}  // namespace wan
