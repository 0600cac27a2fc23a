// SPDX-License-Identifier: BSD-3-Clause
// The tree among the coordinators of the groups of one level of a site (hosts, NUMA domains), or among the
// ranks of the last group: of a shape that the user chose, or the one that is quickest for what its edges
// carry.
//
// The quickest is that of the cost model (topo/machine.h): flat, chain, k-nomial of several radices, earliest
// completion, and, where the members differ, fastest node first (papers/002); of equals the first of these.
// Of a vector in pieces counts when the first piece is everywhere, and how far the others follow each other:
// the busiest member's time for a piece, or that of the wide area. Equal arguments give equal trees on every
// rank. Members that could change places are numbered subtree by subtree: consecutive ranks, which a
// reduction in rank order sends on as one value. No threads. Tested by tests/unit/algo_group_tree.cc.
//
//   eight processes of a host, 8 bytes          a long vector over six hosts
//           0                                    0-1-2-3-4-5
//    1   3   5   6 7
//    2   4
#pragma once

#include <compare>
#include <span>

#include "algo/trees/broadcast_tree.h"
#include "algo/trees/tree.h"
#include "algo/trees/tree_load.h"
#include "cost/model.h"

namespace wan {

struct GroupMember {
  Nanoseconds send_ns = 0, receive_ns = 0;  ///< its overheads at this distance
  Rank ranks = 1;                           ///< it and those that it stands for
  auto operator<=>(const GroupMember&) const = default;
};

/// Between processes at this distance; member 0 is the root. `radix` of knomial, and one of those that
/// `automatic` tries.
BroadcastTree group_tree(const Machine& machine, Proximity proximity, std::span<const GroupMember> members,
                         TreeShape shape, int radix, const TreeLoad& load);

/// What is compared: when the last member is through.
Nanoseconds group_time(const Machine& machine, Proximity proximity, std::span<const GroupMember> members,
                       const BroadcastTree& tree, const TreeLoad& load);

}  // namespace wan
