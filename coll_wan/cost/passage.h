// SPDX-License-Identifier: BSD-3-Clause
// What passes over an access link that may have no cap, and over two links in a row. Tested by
// tests/unit/cost_shares.cc.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "base/rate.h"
#include "base/types.h"
#include "cost/network_view.h"
#include "topo/topology.h"

namespace wan {

/// Over an access link: what passes in a time, and in what time; its cap may be missing.
inline Bytes passed(std::optional<BytesPerSecond> cap, Nanoseconds time_ns) {
  return cap ? passed(*cap, time_ns) : kUnlimited;
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
