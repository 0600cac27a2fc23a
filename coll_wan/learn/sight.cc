// SPDX-License-Identifier: BSD-3-Clause
#include "learn/sight.h"

#include <algorithm>

namespace wan {

Nanoseconds lesser(Nanoseconds a, Nanoseconds b) {
  return a == 0 ? b : b == 0 ? a : std::min(a, b);
}

Sight together(const Sight& a, const Sight& b) {
  constexpr std::uint64_t kOdd = 1099511628211u;  // of FNV-1a: the order counts
  return {std::max(a.at, b.at),
          a.sockets * kOdd + b.sockets,
          a.delivered + b.delivered,
          a.unsent + b.unsent,
          a.under_way + b.under_way,
          lesser(a.round_trip, b.round_trip),
          lesser(a.least_round_trip, b.least_round_trip),
          a.sent_again + b.sent_again,
          std::max(a.held_by_hosts, b.held_by_hosts)};
}

}  // namespace wan
