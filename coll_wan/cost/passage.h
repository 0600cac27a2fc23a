// SPDX-License-Identifier: BSD-3-Clause
// What passes over a link or an access link in a time, and in what time; and a network seen in either
// direction. Integers only (invariant 8): exact, and for all values that occur without 128 bits. Tested by
// tests/unit/cost_shares.cc.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "base/time.h"
#include "base/types.h"
#include "cost/network_view.h"
#include "topo/topology.h"

namespace wan {

/// A product of bytes and nanoseconds, or a sum of many lengths.
using Wide = __int128;

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
/// Of a cap that may be missing.
inline Bytes passed(std::optional<BytesPerSecond> cap, Nanoseconds time_ns) {
  return cap ? passed(*cap, time_ns) : kUnlimited;
}

/// Time that `bytes` take at `rate`, rounded up.
inline Nanoseconds time_of(Wide bytes, BytesPerSecond rate) {
  constexpr Wide kFastBytes = std::numeric_limits<std::int64_t>::max() / kSecond - 64;
  if (bytes <= kFastBytes && rate <= 64 * kSecond)
    return (static_cast<std::int64_t>(bytes) * kSecond + rate - 1) / rate;
  return static_cast<Nanoseconds>((bytes * kSecond + rate - 1) / rate);
}
inline Nanoseconds time_of(Wide bytes, std::optional<BytesPerSecond> cap) {
  return cap ? time_of(bytes, *cap) : 0;
}

/// What can have come over the one link and then the other by `now`, if `piece` has to be there before it
/// goes on.
inline Bytes relayed(const Link& first, const Link& second, Bytes piece, Nanoseconds now) {
  const BytesPerSecond rate = std::min(first.bandwidth_bytes_per_s, second.bandwidth_bytes_per_s);
  const Nanoseconds flowing = now - first.latency_ns - second.latency_ns;
  return flowing <= 0 ? 0 : passed(rate, flowing - time_of(piece, rate));
}

}  // namespace wan
