// SPDX-License-Identifier: BSD-3-Clause
// What a broadcast among n nodes (sites or ranks) costs: a complete directed graph. One model for two papers:
//
//   A node u that has the message at time R(u) sends it to its children v_1, v_2, ... one after the other.
//   Send k is injected by R(u) + Delta(u,v_1) + ... + Delta(u,v_k), and v_k has the message w(u,v_k) later.
//
//      u  |--Delta(u,v1)--|--Delta(u,v2)--|               busy sending
//                         \--- w(u,v1) ---> v1            on its way, and received
//
// Mateescu & Taylor, Efficient Broadcast on Computational Grids, section 1: Delta and w are properties of
// links (LinkGraph). Liu, An Approximation Algorithm for Broadcast Scheduling in Asynchronous Heterogeneous
// Clusters, section 2.2: Delta(u,v) = s(u), w(u,v) = L + r(v) (ClusterGraph, which needs memory for n nodes
// only).
//
// Immutable once made. Tested by tests/unit/algo_broadcast_tree.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/invariant.h"
#include "base/types.h"

namespace wan {

/// Number of a node of a BroadcastGraph, from 0.
using NodeIndex = std::int32_t;

/// What one message costs on its directed edge; neither is negative or longer than kLongestCost.
struct SendCost {
  Nanoseconds injection_ns = 0;  ///< Delta: how long the sender is busy with it
  Nanoseconds weight_ns = 0;     ///< w: from there until the receiver has it

  Nanoseconds total_ns() const { return injection_ns + weight_ns; }
};

/// A quarter of an hour, so that no sum over a tree overflows.
inline constexpr Nanoseconds kLongestCost = 900'000'000'000;

class BroadcastGraph {
 public:
  virtual ~BroadcastGraph() = default;

  NodeIndex nodes() const { return nodes_; }
  /// from != to.
  virtual SendCost cost(NodeIndex from, NodeIndex to) const = 0;
  /// Of one send to each other node: how slow a sender it is.
  virtual Nanoseconds total_injection_ns(NodeIndex from) const {
    Nanoseconds sum = 0;
    for_others(from, [&](const SendCost& cost) { sum += cost.injection_ns; });
    return sum;
  }
  /// No send of `from` has a shorter injection; 0 if it is alone.
  virtual Nanoseconds least_injection_ns(NodeIndex from) const {
    Nanoseconds least = nodes_ > 1 ? kLongestCost : 0;
    for_others(from, [&](const SendCost& cost) { least = std::min(least, cost.injection_ns); });
    return least;
  }
  /// Senders with the same number, in 0..nodes() - 1, have the same order of receivers by total_ns().
  virtual NodeIndex preference(NodeIndex from) const { return from; }

 protected:
  explicit BroadcastGraph(NodeIndex nodes) : nodes_(nodes) {
    invariant(nodes >= 1, "a broadcast has a root");
  }
  BroadcastGraph(const BroadcastGraph&) = default;
  BroadcastGraph& operator=(const BroadcastGraph&) = default;

  static void check(Nanoseconds cost) {
    invariant(cost >= 0 && cost <= kLongestCost, "a cost of 0 to 900 seconds");
  }

 private:
  template <class Visit>
  void for_others(NodeIndex from, Visit visit) const {
    for (NodeIndex to = 0; to < nodes_; ++to)
      if (to != from) visit(cost(from, to));
  }

  NodeIndex nodes_;
};

/// Every directed link has costs of its own.
class LinkGraph final : public BroadcastGraph {
 public:
  /// nodes x nodes costs, row-major by sender; the diagonal is not read.
  LinkGraph(NodeIndex nodes, std::vector<SendCost> costs) : BroadcastGraph(nodes), costs_(std::move(costs)) {
    invariant(costs_.size() == static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes),
              "a cost for each pair of nodes");
    for (const SendCost& each : costs_) {
      check(each.injection_ns);
      check(each.weight_ns);
    }
  }

  SendCost cost(NodeIndex from, NodeIndex to) const override {
    return costs_[static_cast<std::size_t>(from) * static_cast<std::size_t>(nodes()) +
                  static_cast<std::size_t>(to)];
  }

 private:
  std::vector<SendCost> costs_;
};

/// s(p) and r(p) of a processor.
struct NodeSpeed {
  Nanoseconds sending_ns = 0;
  Nanoseconds receiving_ns = 0;
};

/// The sender alone says how long an injection takes, the receiver alone how long it takes to arrive.
class ClusterGraph final : public BroadcastGraph {
 public:
  ClusterGraph(std::vector<NodeSpeed> speeds, Nanoseconds latency_ns)
      : BroadcastGraph(static_cast<NodeIndex>(speeds.size())), speeds_(std::move(speeds)) {
    for (NodeSpeed& speed : speeds_) {
      speed.receiving_ns += latency_ns;
      check(speed.sending_ns);
      check(speed.receiving_ns);
    }
  }

  SendCost cost(NodeIndex from, NodeIndex to) const override {
    return {speed(from).sending_ns, speed(to).receiving_ns};
  }
  Nanoseconds total_injection_ns(NodeIndex from) const override {
    return (nodes() - 1) * speed(from).sending_ns;
  }
  Nanoseconds least_injection_ns(NodeIndex from) const override { return speed(from).sending_ns; }
  NodeIndex preference(NodeIndex) const override { return 0; }

  /// The latency counts as receiving time (section 2.2).
  const NodeSpeed& speed(NodeIndex node) const { return speeds_[static_cast<std::size_t>(node)]; }
  std::span<const NodeSpeed> speeds() const { return speeds_; }

 private:
  std::vector<NodeSpeed> speeds_;
};

}  // namespace wan
