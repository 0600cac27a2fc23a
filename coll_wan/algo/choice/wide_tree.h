// SPDX-License-Identifier: BSD-3-Clause
// The tree over the sites along which a broadcast goes from the root's site, or a reduction to it, where a
// star is not the quickest: where the way by another site is shorter than the link, or where there are so
// many sites that the root, or its access link, is busy for too long. By the cost model: a site's coordinator
// injects one message after the other (papers/000: Delta: its overhead, or the time on the access link), each
// is on its way for a time (w: latency, transmission, overhead). A reduction is the mirror image. Of a long
// vector counts when the first segment is there, and the busiest coordinator or slowest link for each that
// follows.
//
//   a is the root; a -> c takes 100 ms, a -> b and b -> c 20 ms each:     a ===> b ===> c
//
// Equal on every rank. No threads. Tested by tests/unit/algo_wide_tree.cc and, as part of every schedule, by
// tests/property.
#pragma once

#include <optional>

#include "algo/trees/broadcast_tree.h"
#include "algo/tuning.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

struct WideTree {
  BroadcastTree tree;       ///< its nodes are the sites
  Nanoseconds time_ns = 0;  ///< until the last site has all, or the root
};

/// For bcast and reduce. nullopt: the star takes no longer, or less than a twentieth longer, if the tree is
/// not forced; where there are fewer than three sites; of a reduction in rank order, and of a vector that a
/// connection's window holds up, if it is not forced.
std::optional<WideTree> wide_tree_of(const Topology& topology, const Tuning& tuning, const Call& call);

}  // namespace wan
