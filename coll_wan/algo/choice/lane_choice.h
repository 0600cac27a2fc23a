// SPDX-License-Identifier: BSD-3-Clause
// How many lanes (algo/exchange/lanes.h) a call has: enough TCP connections, each with its window under way,
// for what the fullest link could have under way, or for all that crosses it, if that is less. Tested by
// tests/unit/algo_lanes.cc.
//
//   25 ms each way, 100 MB/s, windows of 1 MB:   1 MB: 1 lane   3 MB: 3   10 MB: 5 (if the sites have as many
//   pairs of ranks)
//
// After a pause Linux sends ten packets and doubles its window with each round trip (RFC 2861), so one
// connection takes round trips more for what is neither short nor long. There are as many lanes as let all of
// it leave at once, or as many as two sites have pairs of ranks where that is an eighth of it or more; no
// more than fill the link.
//
//   75 ms each way, 2.5 MB/s, 11,584 bytes after a pause, 4 ranks a site:   11 kB: 1 lane   64 kB: 6
//   185 to 1,482 kB: 16   more: 1
#pragma once

#include <optional>
#include <span>

#include "algo/choice/shards.h"
#include "algo/tuning.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

/// More lanes than this are worth having only for long vectors, and where a site has as many ranks.
constexpr int kMostPairs = 32;

/// 1 where the vector is so short, no window is known, or the collective knows no lanes (of a reduce in rank
/// order the root's site would have to join what is not adjacent), and of a gather or scatter where carriers
/// would keep too much. Never more than two sites have pairs of
/// ranks, nor than kMostPairs if no site has as many ranks.
int number_of_lanes(const Topology& topology, const Tuning& tuning, const Call& call,
                    std::span<const Shard> shards);

/// The network as `call` sees it: where it has lanes and is longer than all their windows, no link is quicker
/// than they can fill it. nullopt: as it is.
std::optional<Network> network_of_windows(const Topology& topology, const Tuning& tuning, const Call& call);

/// Of any call, at most.
int most_lanes(const Topology& topology, const Tuning& tuning);

/// Do all lanes that some two sites can have together leave a good part of their link empty, after a pause or
/// always? Then streams (streams/streams.h) pay for what they cost.
bool leave_links_empty(const Topology& topology, const Tuning& tuning);

}  // namespace wan
