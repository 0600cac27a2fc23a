// SPDX-License-Identifier: BSD-3-Clause
// Lanes: one TCP connection has at most its window under way in a round trip, so one process of a site cannot
// fill a long fat link. Of a long vector each of k processes of a site carries a k-th between the sites
// (algo/choice/lane_choice.h says how many); inside a site each k-th goes over a tree of its own. In the
// root's site all trees are the root's. One lane: as if there were none. Equal on all ranks. Tested by
// tests/unit/algo_lanes.cc and, as part of every schedule, by tests/property.
//
//   bcast, root 0, 2 lanes:      0 -> 1: second half     0 ===> 2 -> 3: first half
//                                                        1 ===> 3 -> 2: second half
#pragma once

#include <span>
#include <vector>

#include "algo/choice/shards.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/position.h"
#include "plan/builder.h"

namespace wan {

/// What a lane has of something that all lanes share.
struct LaneShare {
  Count offset = 0, length = 0;  ///< units
};
/// No share is more than one unit longer than another.
LaneShare share_of(Count whole, int lane, int lanes);
/// Of each of some blocks, if the lanes share them as one thing.
std::vector<LaneShare> shares_of(std::span<const Count> blocks, int lane, int lanes);

/// Has this rank something to carry over the wide area? lanes: its position in each.
bool is_coordinator_of_any(std::span<const Position> lanes);

/// What one lane carries of a vector, and where this rank stands in it.
struct Lane {
  Position position;
  Count offset = 0, length = 0;  ///< units of the call's vector
  Shards shards;                 ///< of these units: offsets count from the lane's first

  Range of(const Range& vector) const { return vector.slice(offset, length); }
};
using Lanes = std::vector<Lane>;

/// Each shard (of a whole vector) is shared by all lanes. position: of lane 0.
Lanes lanes_of(const Position& position, std::span<const Shard> shards, int number);

/// The shards of `vector`, each by itself.
std::vector<RangeList> streams_of(const Range& vector, std::span<const Shard> shards);

/// Down the trees of the own site: receives what this rank does not coordinate of `vector`; sends all of it
/// to its children. What a child is to carry over the wide area goes first, what the shards of the lanes
/// bring in turn.
void receive_down(Builder& b, const Lanes& lanes, const Range& vector);
void send_down(Builder& b, const Lanes& lanes, const Range& vector);

/// Those below this rank in some lane.
std::vector<Rank> children_of(const Lanes& lanes);
/// The lanes, as indices, in which `child` is a child of `parent`; those that a process below carries between
/// sites apart.
struct Below {
  std::vector<std::size_t> others, carried;
};
Below lanes_below(const Lanes& lanes, Rank parent, Rank child);

}  // namespace wan
