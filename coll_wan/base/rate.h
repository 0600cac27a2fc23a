// SPDX-License-Identifier: BSD-3-Clause
// What passes at a rate in a time, and in what time. Integers only (invariant 8): exact, and for all values
// that occur without 128 bits. Tested by tests/unit/cost_shares.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/time.h"
#include "base/types.h"

namespace wan {

/// Never reached by a vector, and three of them may be added.
constexpr Bytes kUnlimited = std::numeric_limits<Bytes>::max() / 4;

/// Bytes that pass at `rate` in `time_ns`: rounded down, kUnlimited at most; 0 of a time below 0.
inline Bytes passed(BytesPerSecond rate, Nanoseconds time_ns) {
  if (time_ns <= 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(time_ns) / kSecond,
             rest = static_cast<std::uint64_t>(time_ns) % kSecond;
  constexpr std::uint64_t kFastRate = std::numeric_limits<std::uint64_t>::max() / kSecond,
                          kFastSeconds = 1 << 26;
  if (const auto fast = static_cast<std::uint64_t>(rate); fast <= kFastRate && seconds < kFastSeconds)
    return static_cast<Bytes>(fast * seconds + fast * rest / kSecond);
  return static_cast<Bytes>(std::min<Wide>(Wide{rate} * time_ns / kSecond, kUnlimited));
}

/// Time that `bytes` take at `rate`, rounded up.
inline Nanoseconds time_of(Wide bytes, BytesPerSecond rate) {
  constexpr Wide kFastBytes = std::numeric_limits<std::int64_t>::max() / kSecond - 64;
  if (bytes <= kFastBytes && rate <= 64 * kSecond)
    return (static_cast<std::int64_t>(bytes) * kSecond + rate - 1) / rate;
  return static_cast<Nanoseconds>((bytes * kSecond + rate - 1) / rate);
}

}  // namespace wan
