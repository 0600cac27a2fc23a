// SPDX-License-Identifier: BSD-3-Clause
// How many lanes (algo/exchange/lanes.h) a call has: enough TCP connections, each with its window under way,
// for what the fullest link could have under way, or for all that crosses it, if that is less. Tested by
// tests/unit/algo_lanes.cc.
//
//   25 ms each way, 100 MB/s, windows of 1 MB:   1 MB: 1 lane   3 MB: 3   10 MB: 5 (if the sites have as many
//   ranks)
#pragma once

#include <optional>
#include <span>

#include "algo/choice/shards.h"
#include "algo/tuning.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

/// Ranks of the site that has most.
int largest_site(const Layout& layout);

/// 1 where the vector is so short, no window is known, or the collective knows no lanes (of a reduce in rank
/// order the root's site would have to join what is not adjacent). Never more than the largest site has
/// ranks.
int number_of_lanes(const Topology& topology, const Tuning& tuning, const Call& call,
                    std::span<const Shard> shards);

/// The network as `call` sees it: where it has lanes and is longer than all their windows, no link is quicker
/// than they can fill it. nullopt: as it is.
std::optional<Network> network_of_windows(const Topology& topology, const Tuning& tuning, const Call& call);

/// Of any call, at most.
int most_lanes(const Topology& topology, const Tuning& tuning);

}  // namespace wan
