// SPDX-License-Identifier: BSD-3-Clause
#include "algo/trees/broadcast_builders.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

#include "base/index.h"

namespace wan {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

/// Ordered by time, of equals by number.
struct Event {
  Nanoseconds time_ns;
  NodeIndex node;
  auto operator<=>(const Event&) const = default;
};
using EarliestFirst = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

Event pop(EarliestFirst& queue) {
  const Event first = queue.top();
  queue.pop();
  return first;
}

std::vector<NodeIndex> others_of(NodeIndex nodes, NodeIndex root) {
  std::vector<NodeIndex> others(at(nodes));
  std::iota(others.begin(), others.end(), 0);
  others.erase(others.begin() + root);
  return others;
}

/// The state of Mateescu & Taylor's figure 2.
class ExtendedDijkstra {
 public:
  ExtendedDijkstra(const BroadcastGraph& graph, NodeIndex root, VisitOrder order)
      : graph_(graph),
        order_(order),
        queue_(others_of(graph.nodes(), root)),
        distances_(at(graph.nodes()), kNever),
        parents_(at(graph.nodes()), root) {
    distances_[at(root)] = 0;
    visit_others(root);
    while (!queue_.empty()) visit_others(settle_nearest());
  }

  std::span<const NodeIndex> parents() const { return parents_; }

 private:
  NodeIndex settle_nearest() {
    const auto nearest = std::ranges::min_element(queue_, {}, [&](NodeIndex node) { return event(node); });
    const NodeIndex node = *nearest;
    queue_.erase(nearest);
    return node;
  }

  Event event(NodeIndex node) const { return {distances_[at(node)], node}; }

  Nanoseconds distance_by(NodeIndex from, NodeIndex to) const {
    return distances_[at(from)] + graph_.cost(from, to).total_ns();
  }

  Nanoseconds rank(NodeIndex from, NodeIndex to) const {
    switch (order_) {
      case VisitOrder::by_number:
        return 0;
      case VisitOrder::cheapest_first:
        return distance_by(from, to);
      case VisitOrder::largest_gain_first:
        return distance_by(from, to) - distances_[at(to)];
    }
    broken("order of visits");
  }

  /// The distance of `from` only grows meanwhile: what it cannot claim now it cannot claim later.
  void visit_others(NodeIndex from) {
    std::vector<Event> visits;
    for (const NodeIndex to : queue_)
      if (distances_[at(to)] > distance_by(from, to)) visits.push_back({rank(from, to), to});
    std::ranges::sort(visits);
    for (const Event& visit : visits) claim(from, visit.node);
  }

  void claim(NodeIndex from, NodeIndex to) {
    if (distances_[at(to)] <= distance_by(from, to)) return;
    distances_[at(to)] = distance_by(from, to);
    distances_[at(from)] += graph_.cost(from, to).injection_ns;
    parents_[at(to)] = from;
  }

  const BroadcastGraph& graph_;
  VisitOrder order_;
  std::vector<NodeIndex> queue_;  ///< what is not settled
  std::vector<Nanoseconds> distances_;
  std::vector<NodeIndex> parents_;
};

/// The nodes without the message, for each preference of senders in the order of their cost.
class Unreached {
 public:
  explicit Unreached(const BroadcastGraph& graph)
      : graph_(graph), reached_(at(graph.nodes())), queues_(reached_.size()) {}

  void remove(NodeIndex node) { reached_[at(node)] = 1; }

  /// There is one left.
  NodeIndex cheapest_from(NodeIndex from) {
    auto& queue = queues_[at(graph_.preference(from))];
    if (!queue) queue = queue_of(from);
    while (reached_[at(queue->top().node)]) queue->pop();
    return queue->top().node;
  }

 private:
  EarliestFirst queue_of(NodeIndex from) const {
    std::vector<Event> events;
    for (NodeIndex to = 0; to < graph_.nodes(); ++to)
      if (!reached_[at(to)]) events.push_back({graph_.cost(from, to).total_ns(), to});
    return EarliestFirst(std::greater<>(), std::move(events));
  }

  const BroadcastGraph& graph_;
  std::vector<char> reached_;
  std::vector<std::optional<EarliestFirst>> queues_;
};

/// Senders, each with a time before which its next message does not arrive; made exact when it comes first.
class EarliestArrival {
 public:
  EarliestArrival(const BroadcastGraph& graph, NodeIndex root)
      : graph_(graph), tree_(graph.nodes(), root), unreached_(graph), free_(at(graph.nodes())) {
    reach({0, root});
    for (NodeIndex sends = 1; sends < graph.nodes(); ++sends) send(next());
  }

  BroadcastTree tree() && { return std::move(tree_); }

 private:
  void reach(Event arrival) {
    unreached_.remove(arrival.node);
    free_[at(arrival.node)] = arrival.time_ns;
    senders_.push({arrival.time_ns + graph_.least_injection_ns(arrival.node), arrival.node});
  }

  Event arrival_from(NodeIndex sender) {
    return {free_[at(sender)] + graph_.cost(sender, unreached_.cheapest_from(sender)).total_ns(), sender};
  }

  /// The sender of the earliest arrival, and when that is.
  Event next() {
    for (;;) {
      const Event first = arrival_from(pop(senders_).node);
      if (senders_.empty() || first < senders_.top()) return first;
      senders_.push(first);
    }
  }

  void send(Event arrival) {
    const NodeIndex from = arrival.node, to = unreached_.cheapest_from(from);
    const Nanoseconds injection = graph_.cost(from, to).injection_ns;
    tree_.link(from, to);
    free_[at(from)] += injection;
    senders_.push({arrival.time_ns + injection, from});
    reach({arrival.time_ns, to});
  }

  const BroadcastGraph& graph_;
  BroadcastTree tree_;
  Unreached unreached_;
  std::vector<Nanoseconds> free_;  ///< when a node can begin its next send
  EarliestFirst senders_;
};

/// Senders, each with a time before which it cannot have injected its next message.
class EarliestInjection {
 public:
  EarliestInjection(const BroadcastGraph& graph, NodeIndex root) : graph_(graph), free_(at(graph.nodes())) {
    add({0, root});
  }

  void add(Event arrival) {
    free_[at(arrival.node)] = arrival.time_ns;
    senders_.push({arrival.time_ns + graph_.least_injection_ns(arrival.node), arrival.node});
  }

  /// Sends to `to` from the node that has injected it earliest.
  NodeIndex send(NodeIndex to) {
    const Event best = take_best(to);
    add(best);
    add({best.time_ns + graph_.cost(best.node, to).weight_ns, to});
    return best.node;
  }

 private:
  Event take_best(NodeIndex to) {
    Event best{kNever, 0};
    std::vector<Event> looked_at;
    while (!senders_.empty() && senders_.top() < best) {
      looked_at.push_back(pop(senders_));
      const NodeIndex from = looked_at.back().node;
      best = std::min(best, Event{free_[at(from)] + graph_.cost(from, to).injection_ns, from});
    }
    for (const Event& each : looked_at)
      if (each.node != best.node) senders_.push(each);
    return best;
  }

  const BroadcastGraph& graph_;
  std::vector<Nanoseconds> free_;
  EarliestFirst senders_;
};

}  // namespace

BroadcastTree shaped_tree(TreeShape shape, int radix, NodeIndex nodes, NodeIndex root) {
  std::vector<NodeIndex> order = others_of(nodes, root);
  order.insert(order.begin(), root);
  const auto children = shape_children(shape, radix, nodes);
  BroadcastTree tree(nodes, root);
  for (std::size_t node = 0; node < children.size(); ++node)
    for (const int child : children[node]) tree.link(order[node], order[at(child)]);
  return tree;
}

BroadcastTree extended_shortest_path(const BroadcastGraph& graph, NodeIndex root, VisitOrder order) {
  const ExtendedDijkstra dijkstra(graph, root, order);
  return order_by_label(graph, BroadcastTree(root, dijkstra.parents())).tree;
}

BroadcastTree earliest_completion(const BroadcastGraph& graph, NodeIndex root) {
  return EarliestArrival(graph, root).tree();
}

BroadcastTree send_in_order(const BroadcastGraph& graph, NodeIndex root,
                            std::span<const NodeIndex> receivers) {
  BroadcastTree tree(graph.nodes(), root);
  EarliestInjection senders(graph, root);
  for (const NodeIndex next : receivers) tree.link(senders.send(next), next);
  return tree;
}

BroadcastTree fastest_node_first(const BroadcastGraph& graph, NodeIndex root) {
  std::vector<NodeIndex> receivers = others_of(graph.nodes(), root);
  std::vector<Nanoseconds> slowness(at(graph.nodes()));
  for (const NodeIndex node : receivers) slowness[at(node)] = graph.total_injection_ns(node);
  std::ranges::stable_sort(receivers, {}, [&](NodeIndex node) { return slowness[at(node)]; });
  return send_in_order(graph, root, receivers);
}

}  // namespace wan
