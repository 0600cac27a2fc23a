// SPDX-License-Identifier: BSD-3-Clause
// Broadcast trees by construction: fixed shapes, and the heuristics of two papers. Each is a function of the
// graph and the root alone; of equals the lowest number wins, so every rank builds the same tree. Drawn: six
// equal nodes with injection time 1 and weight 1, numbers in the order of the sends. No threads. Tested by
// tests/unit/algo_broadcast_tree.cc.
#pragma once

#include <cstdint>
#include <span>

#include "algo/trees/broadcast_graph.h"
#include "algo/trees/broadcast_tree.h"
#include "algo/trees/tree.h"

namespace wan {

/// The shapes of algo/trees/tree.h over the root and then the other nodes in the order of their numbers.
///
///   flat           chain              k-nomial, radix 2
///       0          0-1-2-3-4-5              0
///   1 2 3 4 5                             4 2 1
///                                         5 3
BroadcastTree shaped_tree(TreeShape shape, int radix, NodeIndex nodes, NodeIndex root);

/// In which order a node visits those that it may claim; what figure 2 of Mateescu & Taylor leaves open. The
/// earlier a node is visited the fewer injections it pays for.
enum class VisitOrder : std::uint8_t {
  by_number,          ///< as an adjacency list would have it
  cheapest_first,     ///< by Delta + w: best where links differ
  largest_gain_first  ///< by how much less its distance becomes: best in a ClusterGraph
};

/// Mateescu & Taylor, section 3: Dijkstra's algorithm with the injection times in its distances (figure 2),
/// then the sends in order of their labels (figure 3).
///
///        0          the root claims all others first, in order of their numbers; node 1, settled next, takes
///        over those that
///   1  2  3  4      it reaches earlier than the distance they have by then
///   5
///
/// The distance of a node grows by the injection time of each child it claims, and does not shrink when
/// another claims the child: it steers the construction, and is not the time at which the node has the
/// message. Of equals the lowest number. bench/papers/README.md compares the orders of visits. O(V^2 log V)
/// for V nodes, since a complete graph has V^2 edges.
BroadcastTree extended_shortest_path(const BroadcastGraph& graph, NodeIndex root,
                                     VisitOrder order = VisitOrder::cheapest_first);

/// Attaches, again and again, the node that can have the message earliest, to the node from which it can. For
/// equal nodes the optimal tree of the postal and LogP models (Bar-Noy & Kipnis 1994; Karp, Sahay, Santos &
/// Schauser 1993).
///
///        0
///    1 2 3 5        1 to 5 have it at 2, 3, 4, 4, 5
///    4
///
/// O(V^2) for V nodes with links of their own, O(V log V) in a ClusterGraph.
BroadcastTree earliest_completion(const BroadcastGraph& graph, NodeIndex root);

/// Each of `receivers` in turn, all nodes but the root, gets the message from the node that can have injected
/// it earliest. O(V log V) in a ClusterGraph.
BroadcastTree send_in_order(const BroadcastGraph& graph, NodeIndex root,
                            std::span<const NodeIndex> receivers);

/// Fastest node first (Banikazemi, Moorthy & Panda 1998; Liu, section 3.1): the fastest node without the
/// message is next, and gets it from the node that can have injected it earliest. The fastest is the one
/// whose injections take least in sum. In a ClusterGraph whose speeds are consistent it completes by 2 T +
/// max r - 2 min r, T the optimum (Liu, theorem 7).
///
///        0          node 2 is slow
///    1 3 4 2
///    5
///
BroadcastTree fastest_node_first(const BroadcastGraph& graph, NodeIndex root);

}  // namespace wan
