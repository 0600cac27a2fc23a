// SPDX-License-Identifier: BSD-3-Clause
// Long vectors over many paths: each site takes a share of the vector, gets it from where it is and passes it
// on to where it must be, so that links carry something that would lie idle if everything went directly. Two
// inter-site latencies, but of equal links (latency L, rate B, C sites) only about m / (C - 1) bytes on each
// instead of m (broadcast, reduction), 2 m / C instead of m (allreduce). Shares follow the links: a site
// behind a slow or long link takes less, or nothing.
//
// What is computed is the least time T, by bisection, at which shares that all fit add up to the vector. A
// share fits if its way through its site ends by T, store-and-forward of one piece included, and if the links
// and access links that it shares with others carry all of it. Integers only (invariant 8). Source:
// blueprint, sections 5 and 6. No threads. Tested by tests/unit/cost_spread.cc, and against the simulator by
// tests/property/simulations.cc.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "base/types.h"
#include "topo/topology.h"

namespace wan {

struct Spread {
  Nanoseconds time_ns = 0;    ///< that it takes; what happens inside sites is not counted
  std::vector<Bytes> shares;  ///< by site; together the vector. Of the root's site: what goes directly
};

/// From one site to all others (broadcast), from all to one, combined on the way (reduction), combined from
/// all for all (allreduce, scan). `piece`: bytes that a site has before it passes them on. nullopt: directly
/// is as quick, or no spread takes less than `below_ns`. (Of a short vector that is seen at once: nothing is
/// passed on before the second latency.)
constexpr Nanoseconds kAnyTime = std::numeric_limits<Nanoseconds>::max();
std::optional<Spread> spread_from_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece,
                                      Nanoseconds below_ns = kAnyTime);
std::optional<Spread> spread_to_one(const Network& network, SiteIndex root, Bytes bytes, Bytes piece,
                                    Nanoseconds below_ns = kAnyTime);
std::optional<Spread> spread_among_all(const Network& network, Bytes bytes, Bytes piece,
                                       Nanoseconds below_ns = kAnyTime);

}  // namespace wan
