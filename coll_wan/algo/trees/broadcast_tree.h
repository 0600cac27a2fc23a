// SPDX-License-Identifier: BSD-3-Clause
// A spanning tree of a BroadcastGraph with the order of every node's sends: when it is through, and the best
// order. Invariant: no node has two parents, the root has none; functions of a tree abort if it does not
// span. Pure functions; no threads. Tested by tests/unit/algo_broadcast_tree.cc.
//
//   0 sends to 2, then to 1; 2 sends to 3 meanwhile           0
//                                                           2   1
//                                                           3
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algo/trees/broadcast_graph.h"

namespace wan {

class BroadcastTree {
 public:
  /// No edges yet.
  BroadcastTree(NodeIndex nodes, NodeIndex root);
  /// parents[node] for each node but the root, whose own is not read; children ascend.
  BroadcastTree(NodeIndex root, std::span<const NodeIndex> parents);

  NodeIndex nodes() const { return static_cast<NodeIndex>(children_.size()); }
  NodeIndex root() const { return root_; }
  std::optional<NodeIndex> parent_of(NodeIndex node) const;
  /// In the order of the sends.
  std::span<const NodeIndex> children_of(NodeIndex node) const { return children_[index(node)]; }
  /// All nodes, each one after its parent. Aborts if a node hangs on nothing.
  std::vector<NodeIndex> top_down() const;

  /// `child` has no parent yet; it is sent to after the others.
  void link(NodeIndex parent, NodeIndex child);

 private:
  std::size_t index(NodeIndex node) const;

  NodeIndex root_;
  std::vector<NodeIndex> parents_;  ///< -1: none
  std::vector<std::vector<NodeIndex>> children_;
};

/// R(v) of each node; 0 of the root.
std::vector<Nanoseconds> arrival_times(const BroadcastGraph& graph, const BroadcastTree& tree);

/// When the last node has the message.
Nanoseconds completion_time(const BroadcastGraph& graph, const BroadcastTree& tree);

struct LabelledTree {
  BroadcastTree tree;
  /// How long after a node has the message all nodes below it have it; the root's is the completion time.
  std::vector<Nanoseconds> labels_ns;
};

/// The same tree with the sends of each node u in order of decreasing label(v) + w(u,v), of equals the lowest
/// number first: label_nodes of Mateescu & Taylor, figure 3, with the injection times of the links that are
/// used summed up. No order of sends completes the same tree earlier (Jackson's rule: jobs Delta with tails
/// label + w on one machine).
LabelledTree order_by_label(const BroadcastGraph& graph, const BroadcastTree& tree);

}  // namespace wan
