// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/broadcast_tree.h"

#include <algorithm>
#include <functional>
#include <ranges>

#include "base/index.h"
#include "base/invariant.h"

namespace wan {
namespace {

/// A child that is to be sent to, and how long after its injection all below it have the message.
struct Tail {
  Nanoseconds tail_ns;
  NodeIndex child;
};

std::vector<Tail> longest_first(const BroadcastGraph& graph, const BroadcastTree& tree, NodeIndex node,
                                std::span<const Nanoseconds> labels) {
  std::vector<Tail> tails;
  for (const NodeIndex child : tree.children_of(node))
    tails.push_back({labels[at(child)] + graph.cost(node, child).weight_ns, child});
  std::ranges::sort(tails, [](const Tail& a, const Tail& b) {
    return a.tail_ns != b.tail_ns ? a.tail_ns > b.tail_ns : a.child < b.child;
  });
  return tails;
}

}  // namespace

BroadcastTree::BroadcastTree(NodeIndex nodes, NodeIndex root)
    : root_(root), parents_(at(nodes), -1), children_(at(nodes)) {
  index(root);
}

BroadcastTree::BroadcastTree(NodeIndex root, std::span<const NodeIndex> parents)
    : BroadcastTree(static_cast<NodeIndex>(parents.size()), root) {
  for (NodeIndex node = 0; node < nodes(); ++node)
    if (node != root) link(parents[at(node)], node);
}

std::size_t BroadcastTree::index(NodeIndex node) const {
  invariant(node >= 0 && node < nodes(), "a node outside its tree");
  return at(node);
}

std::optional<NodeIndex> BroadcastTree::parent_of(NodeIndex node) const {
  const NodeIndex parent = parents_[index(node)];
  return parent < 0 ? std::nullopt : std::optional(parent);
}

std::vector<NodeIndex> BroadcastTree::top_down() const {
  std::vector<NodeIndex> found;
  found.reserve(children_.size());
  found.push_back(root_);
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const NodeIndex child : children_of(found[next])) found.push_back(child);
  invariant(found.size() == children_.size(), "a broadcast tree that does not span");
  return found;
}

void BroadcastTree::link(NodeIndex parent, NodeIndex child) {
  invariant(parents_[index(child)] < 0 && child != root_, "a node with two parents");
  children_[index(parent)].push_back(child);
  parents_[at(child)] = parent;
}

std::vector<Nanoseconds> arrival_times(const BroadcastGraph& graph, const BroadcastTree& tree) {
  invariant(graph.nodes() == tree.nodes(), "a tree of its graph");
  std::vector<Nanoseconds> times(at(tree.nodes()));
  for (const NodeIndex node : tree.top_down()) {
    Nanoseconds injected = times[at(node)];
    for (const NodeIndex child : tree.children_of(node)) {
      const SendCost cost = graph.cost(node, child);
      injected += cost.injection_ns;
      times[at(child)] = injected + cost.weight_ns;
    }
  }
  return times;
}

Nanoseconds completion_time(const BroadcastGraph& graph, const BroadcastTree& tree) {
  return std::ranges::max(arrival_times(graph, tree));
}

LabelledTree order_by_label(const BroadcastGraph& graph, const BroadcastTree& tree) {
  invariant(graph.nodes() == tree.nodes(), "a tree of its graph");
  LabelledTree result{BroadcastTree(tree.nodes(), tree.root()), std::vector<Nanoseconds>(at(tree.nodes()))};
  const std::vector<NodeIndex> top_down = tree.top_down();  // g++ 11 reverses nothing that has no name
  for (const NodeIndex node : top_down | std::views::reverse) {
    Nanoseconds injected = 0;
    for (const Tail& next : longest_first(graph, tree, node, result.labels_ns)) {
      result.tree.link(node, next.child);
      injected += graph.cost(node, next.child).injection_ns;
      Nanoseconds& label = result.labels_ns[at(node)];
      label = std::max(label, injected + next.tail_ns);
    }
  }
  return result;
}

}  // namespace wan
