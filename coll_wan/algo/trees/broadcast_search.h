// SPDX-License-Identifier: BSD-3-Clause
// The tree to use: the heuristics of algo/trees/broadcast_builders.h, and what a local search makes of them.
// Deterministic, so that every rank finds the same tree; the work is bounded, so that 1,000 nodes take well
// under 100 ms. No threads. Tested by tests/unit/algo_broadcast_tree.cc.
#pragma once

#include "algo/trees/broadcast_graph.h"
#include "algo/trees/broadcast_tree.h"

namespace wan {

/// A tree that completes no later than `start`: the order of sends by label, then moves until none helps,
/// then a few random moves and again, until the work is used up. A move takes a node of the critical path
/// (the sends that the last arrival waits for) and either hangs it, with all below it, under another node or
/// exchanges it with another node; it helps if the broadcast completes earlier, or at the same time with
/// fewer nodes that are last.
///
///        0              0                     0                0
///      1   2    ->    1   2                 1   2    ->      1   4
///      3   4          3                     3   4            3   2
///      5              4 5                   5                5
///      hang 4 under 3                       exchange 2 and 4
BroadcastTree improved_tree(const BroadcastGraph& graph, const BroadcastTree& start);

/// The one that completes earliest of: flat, chain, k-nomial, extended shortest path, earliest completion,
/// fastest node first, and the best of these improved.
BroadcastTree best_tree(const BroadcastGraph& graph, NodeIndex root);

}  // namespace wan
