// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/broadcast_search.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <utility>

#include "algo/trees/broadcast_builders.h"
#include "base/index.h"

namespace wan {
namespace {

/// Edges that one search may look at: 0.4 ms for few nodes, 0.5 ms for 64, 10 to 20 ms for 1,000.
constexpr std::int64_t kWork = 20'000;
constexpr std::int64_t kWorkPerNode = 300;
constexpr int kMovesOfAKick = 3;

/// What is to become less: first the label, then how many of the nodes below are the last.
struct Lateness {
  Nanoseconds label_ns = 0;
  std::int64_t last = 1;
  auto operator<=>(const Lateness&) const = default;
};

/// A tree of places in which nodes stand; the root stands in place 0. Every place's lateness follows from its
/// children's.
class Places {
 public:
  Places(const BroadcastGraph& graph, const BroadcastTree& tree);

  BroadcastTree tree() const;
  std::int64_t work() const { return work_; }
  const Lateness& lateness() const { return places_.front().lateness; }
  /// From the root to the last node.
  std::vector<NodeIndex> critical_path() const;
  NodeIndex size() const { return static_cast<NodeIndex>(places_.size()); }
  NodeIndex parent_of(NodeIndex place) const { return places_[at(place)].parent; }
  /// For each place whether it is `place` or hangs on it, by any number of edges.
  std::vector<char> subtree_of(NodeIndex place) const;

  void hang(NodeIndex place, NodeIndex below);
  void exchange(NodeIndex a, NodeIndex b);
  /// What was done since then still counts as work.
  void return_to(const Places& before) {
    places_ = before.places_;
    work_ += size();
  }

 private:
  struct Place {
    NodeIndex node;
    NodeIndex parent;
    std::vector<NodeIndex> children;  ///< in the order of the sends
    Lateness lateness;
    SendCost cost;            ///< of the send to it
    Nanoseconds tail_ns = 0;  ///< from the end of its injection until all below it have the message
  };

  SendCost cost(NodeIndex from, NodeIndex to) const {
    return graph_->cost(places_[at(from)].node, places_[at(to)].node);
  }
  bool sent_before(NodeIndex a, NodeIndex b) const;
  void order_children(NodeIndex place);
  /// Returns whether anything has changed.
  bool update(NodeIndex place);
  void update_upwards(NodeIndex place);

  const BroadcastGraph* graph_;
  std::vector<Place> places_;
  std::int64_t work_ = 0;
};

Places::Places(const BroadcastGraph& graph, const BroadcastTree& tree) : graph_(&graph) {
  std::vector<NodeIndex> place_of(at(tree.nodes()));
  for (const NodeIndex node : tree.top_down()) {
    const NodeIndex parent = node == tree.root() ? -1 : place_of[at(*tree.parent_of(node))];
    place_of[at(node)] = size();
    if (parent >= 0) places_[at(parent)].children.push_back(size());
    places_.push_back({node, parent, {}, {}, {}});
  }
  for (NodeIndex place = size(); place-- > 0;) update(place);
}

BroadcastTree Places::tree() const {
  BroadcastTree tree(size(), places_.front().node);
  for (const Place& place : places_)
    for (const NodeIndex child : place.children) tree.link(place.node, places_[at(child)].node);
  return tree;
}

std::vector<NodeIndex> Places::critical_path() const {
  std::vector<NodeIndex> path{0};
  for (const Place* place = &places_.front(); !place->children.empty(); place = &places_[at(path.back())]) {
    Nanoseconds injected = 0;
    for (const NodeIndex child : place->children) {
      injected += places_[at(child)].cost.injection_ns;
      if (injected + places_[at(child)].tail_ns < place->lateness.label_ns) continue;
      path.push_back(child);
      break;
    }
  }
  return path;
}

std::vector<char> Places::subtree_of(NodeIndex place) const {
  std::vector<char> found(places_.size());
  std::vector<NodeIndex> open{place};
  while (!open.empty()) {
    const Place& next = places_[at(open.back())];
    found[at(open.back())] = 1;
    open.pop_back();
    open.insert(open.end(), next.children.begin(), next.children.end());
  }
  return found;
}

bool Places::sent_before(NodeIndex a, NodeIndex b) const {
  const Place &first = places_[at(a)], &second = places_[at(b)];
  return first.tail_ns != second.tail_ns ? first.tail_ns > second.tail_ns : first.node < second.node;
}

/// By insertion: most are in order already.
void Places::order_children(NodeIndex place) {
  auto& children = places_[at(place)].children;
  for (std::size_t next = 0; next < children.size(); ++next) {
    Place& child = places_[at(children[next])];
    child.cost = cost(place, children[next]);
    child.tail_ns = child.lateness.label_ns + child.cost.weight_ns;
    for (std::size_t slot = next; slot > 0 && sent_before(children[slot], children[slot - 1]); --slot)
      std::swap(children[slot], children[slot - 1]);
  }
}

bool Places::update(NodeIndex place) {
  order_children(place);
  Lateness lateness{0, places_[at(place)].children.empty() ? 1 : 0};
  Nanoseconds injected = 0;
  for (const NodeIndex next : places_[at(place)].children) {
    const Place& child = places_[at(next)];
    injected += child.cost.injection_ns;
    const Nanoseconds label = injected + child.tail_ns;
    if (label > lateness.label_ns) lateness = {label, 0};
    if (label == lateness.label_ns) lateness.last += child.lateness.last;
  }
  work_ += 1 + static_cast<std::int64_t>(places_[at(place)].children.size());
  return std::exchange(places_[at(place)].lateness, lateness) != lateness;
}

void Places::update_upwards(NodeIndex place) {
  while (place >= 0 && update(place)) place = parent_of(place);
}

void Places::hang(NodeIndex place, NodeIndex below) {
  const NodeIndex before = std::exchange(places_[at(place)].parent, below);
  std::erase(places_[at(before)].children, place);
  places_[at(below)].children.push_back(place);
  update_upwards(before);
  update_upwards(below);
}

void Places::exchange(NodeIndex a, NodeIndex b) {
  std::swap(places_[at(a)].node, places_[at(b)].node);
  for (const NodeIndex place : {a, b, parent_of(a), parent_of(b)}) update_upwards(place);
}

/// xorshift64 (Marsaglia 2003): the same numbers on every rank.
class Random {
 public:
  /// 0..below - 1.
  NodeIndex operator()(NodeIndex below) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<NodeIndex>(state_ % static_cast<std::uint64_t>(below));
  }

 private:
  std::uint64_t state_ = 88'172'645'463'325'252;
};

/// Iterated local search: the first move along the critical path that helps, until none does; then a few
/// random moves and again, back to the best tree where that led to nothing better.
class Search {
 public:
  Search(const BroadcastGraph& graph, const BroadcastTree& start)
      : places_(graph, start), most_work_(kWork + kWorkPerNode * graph.nodes()) {
    descend();
    while (places_.size() >= kFewestToKick && may_go_on()) {
      const Places before = places_;
      kick();
      descend();
      if (places_.lateness() > before.lateness()) places_.return_to(before);
    }
  }

  BroadcastTree tree() const { return places_.tree(); }

 private:
  static constexpr NodeIndex kFewestToKick = 4;  ///< descending tries all moves of fewer

  bool may_go_on() const { return places_.work() < most_work_; }

  void descend() {
    while (step()) {
    }
  }

  bool step() {
    std::vector<NodeIndex> path = places_.critical_path();
    for (; path.size() > 1; path.pop_back())
      if (hang_elsewhere(path.back()) || exchange_with_another(path.back())) return true;
    return false;
  }

  bool hang_elsewhere(NodeIndex place) {
    const Lateness before = places_.lateness();
    const NodeIndex parent = places_.parent_of(place);
    const std::vector<char> subtree = places_.subtree_of(place);
    for (NodeIndex below = 0; below < places_.size() && may_go_on(); ++below) {
      if (below == parent || subtree[at(below)]) continue;
      places_.hang(place, below);
      if (places_.lateness() < before) return true;
      places_.hang(place, parent);
    }
    return false;
  }

  bool exchange_with_another(NodeIndex place) {
    const Lateness before = places_.lateness();
    for (NodeIndex other = 1; other < places_.size() && may_go_on(); ++other) {
      if (other == place) continue;
      places_.exchange(place, other);
      if (places_.lateness() < before) return true;
      places_.exchange(place, other);
    }
    return false;
  }

  void kick() {
    for (int move = 0; move < kMovesOfAKick; ++move) {
      const NodeIndex place = 1 + random_(places_.size() - 1), other = 1 + random_(places_.size() - 1);
      if (random_(2) == 0)
        places_.exchange(place, other);
      else if (!places_.subtree_of(place)[at(other)])
        places_.hang(place, other);
    }
  }

  Places places_;
  std::int64_t most_work_;
  Random random_;
};

std::vector<BroadcastTree> start_trees(const BroadcastGraph& graph, NodeIndex root) {
  std::vector<BroadcastTree> trees{earliest_completion(graph, root), fastest_node_first(graph, root)};
  for (const VisitOrder order :
       {VisitOrder::by_number, VisitOrder::cheapest_first, VisitOrder::largest_gain_first})
    trees.push_back(extended_shortest_path(graph, root, order));
  for (const TreeShape shape : {TreeShape::flat, TreeShape::chain})
    trees.push_back(shaped_tree(shape, 2, graph.nodes(), root));
  for (const int radix : {2, 3, 4})
    trees.push_back(shaped_tree(TreeShape::knomial, radix, graph.nodes(), root));
  for (BroadcastTree& tree : trees) tree = order_by_label(graph, tree).tree;
  return trees;
}

}  // namespace

BroadcastTree improved_tree(const BroadcastGraph& graph, const BroadcastTree& start) {
  return Search(graph, start).tree();
}

BroadcastTree best_tree(const BroadcastGraph& graph, NodeIndex root) {
  const auto trees = start_trees(graph, root);
  const auto completion = [&](const BroadcastTree& tree) { return completion_time(graph, tree); };
  return improved_tree(graph, *std::ranges::min_element(trees, {}, completion));
}

}  // namespace wan
