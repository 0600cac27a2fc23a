// SPDX-License-Identifier: BSD-3-Clause
// Branch and bound over the sends in the order in which they begin. The node that is free first either sends
// to one of the others or never sends again: no send waits (Liu, theorem 1, which holds for any graph). Of
// nodes that no cost tells apart only the first is tried. A branch ends where even paths without any
// contention for their senders come too late.
#include "tests/support/optimal_broadcast.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/index.h"

namespace wan {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max() / 4;

class Search {
 public:
  Search(const BroadcastGraph& graph, NodeIndex root, BroadcastGoal goal)
      : graph_(graph), goal_(goal), nodes_(at(graph.nodes())) {
    find_paths();
    find_twins();
    free_[at(root)] = 0;
    nodes_[at(root)] = State::sending;
    branch(graph.nodes() - 1, 0);
  }

  Nanoseconds best() const { return best_ns_; }

 private:
  enum class State : std::uint8_t { waiting, sending, done };

  Nanoseconds last_step(const SendCost& cost) const {
    return goal_ == BroadcastGoal::last_arrival ? cost.total_ns() : cost.injection_ns;
  }

  void find_paths() {
    const NodeIndex n = graph_.nodes();
    std::vector<std::vector<Nanoseconds>> paths(at(n), std::vector<Nanoseconds>(at(n), 0));
    for (NodeIndex u = 0; u < n; ++u)
      for (NodeIndex v = 0; v < n; ++v)
        if (u != v) paths[at(u)][at(v)] = graph_.cost(u, v).total_ns();
    for (std::size_t by = 0; by < at(n); ++by)
      for (std::size_t u = 0; u < at(n); ++u)
        for (std::size_t v = 0; v < at(n); ++v)
          paths[u][v] = std::min(paths[u][v], paths[u][by] + paths[by][v]);
    reach_ = std::vector(at(n), std::vector<Nanoseconds>(at(n), kNever));
    for (NodeIndex u = 0; u < n; ++u)
      for (NodeIndex by = 0; by < n; ++by)
        for (NodeIndex v = 0; v < n; ++v)
          if (by != v)
            reach_[at(u)][at(v)] =
                std::min(reach_[at(u)][at(v)], paths[at(u)][at(by)] + last_step(graph_.cost(by, v)));
  }

  bool twins(NodeIndex a, NodeIndex b) const {
    const auto equal = [](const SendCost& x, const SendCost& y) {
      return x.injection_ns == y.injection_ns && x.weight_ns == y.weight_ns;
    };
    if (!equal(graph_.cost(a, b), graph_.cost(b, a))) return false;
    for (NodeIndex c = 0; c < graph_.nodes(); ++c)
      if (c != a && c != b &&
          !(equal(graph_.cost(a, c), graph_.cost(b, c)) && equal(graph_.cost(c, a), graph_.cost(c, b))))
        return false;
    return true;
  }

  /// Being twins is transitive.
  void find_twins() {
    for (NodeIndex node = 0; node < graph_.nodes(); ++node) {
      NodeIndex first = 0;
      while (first < node && !twins(first, node)) ++first;
      family_.push_back(first);
    }
  }

  bool hopeless(Nanoseconds so_far) const {
    if (so_far >= best_ns_) return true;
    for (std::size_t to = 0; to < nodes_.size(); ++to) {
      if (nodes_[to] != State::waiting) continue;
      Nanoseconds earliest = kNever;
      for (std::size_t from = 0; from < nodes_.size(); ++from)
        if (nodes_[from] == State::sending) earliest = std::min(earliest, free_[from] + reach_[from][to]);
      if (earliest >= best_ns_) return true;
    }
    return false;
  }

  NodeIndex free_first() const {
    NodeIndex first = -1;
    for (NodeIndex node = 0; node < graph_.nodes(); ++node)
      if (nodes_[at(node)] == State::sending && (first < 0 || free_[at(node)] < free_[at(first)]))
        first = node;
    return first;
  }

  /// The waiting nodes, one of each family, the earliest to reach first.
  std::vector<NodeIndex> choices(NodeIndex from) const {
    std::vector<NodeIndex> found;
    for (NodeIndex to = 0; to < graph_.nodes(); ++to)
      if (nodes_[at(to)] == State::waiting &&
          std::ranges::none_of(found, [&](NodeIndex other) { return family_[at(other)] == family_[at(to)]; }))
        found.push_back(to);
    std::ranges::stable_sort(found, {}, [&](NodeIndex to) { return graph_.cost(from, to).total_ns(); });
    return found;
  }

  void branch(NodeIndex waiting, Nanoseconds so_far) {
    if (hopeless(so_far)) return;
    if (waiting == 0) {
      best_ns_ = so_far;
      return;
    }
    const NodeIndex from = free_first();
    if (from < 0) return;
    for (const NodeIndex to : choices(from)) branch_by_sending(from, to, waiting, so_far);
    nodes_[at(from)] = State::done;
    branch(waiting, so_far);
    nodes_[at(from)] = State::sending;
  }

  void branch_by_sending(NodeIndex from, NodeIndex to, NodeIndex waiting, Nanoseconds so_far) {
    const SendCost cost = graph_.cost(from, to);
    const Nanoseconds start = free_[at(from)];
    nodes_[at(to)] = State::sending;
    free_[at(from)] = start + cost.injection_ns;
    free_[at(to)] = start + cost.total_ns();
    branch(waiting - 1, std::max(so_far, start + last_step(cost)));
    free_[at(from)] = start;
    nodes_[at(to)] = State::waiting;
  }

  const BroadcastGraph& graph_;
  BroadcastGoal goal_;
  std::vector<State> nodes_;
  std::vector<Nanoseconds> free_ = std::vector<Nanoseconds>(nodes_.size());
  std::vector<std::vector<Nanoseconds>>
      reach_;                      ///< from a free sender to a node, the last step as the goal counts it
  std::vector<NodeIndex> family_;  ///< the lowest twin of each node
  Nanoseconds best_ns_ = kNever;
};

}  // namespace

Nanoseconds optimal_broadcast(const BroadcastGraph& graph, NodeIndex root, BroadcastGoal goal) {
  return Search(graph, root, goal).best();
}

}  // namespace wan
