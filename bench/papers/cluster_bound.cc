// SPDX-License-Identifier: BSD-3-Clause
#include "bench/papers/cluster_bound.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "base/invariant.h"

namespace wan::bench {
namespace {

using Times = std::vector<Nanoseconds>;

struct Class {
  NodeSpeed speed;
  NodeSpeed rounded{};
  int nodes = 0;
};

bool is_faster(const NodeSpeed& a, const NodeSpeed& b) {
  return a.sending_ns != b.sending_ns ? a.sending_ns < b.sending_ns : a.receiving_ns < b.receiving_ns;
}

/// Of the receivers, the fastest first.
std::vector<Class> classes_of(const ClusterGraph& cluster, NodeIndex root) {
  std::vector<NodeSpeed> speeds(cluster.speeds().begin(), cluster.speeds().end());
  speeds.erase(speeds.begin() + root);
  std::ranges::sort(speeds, is_faster);
  std::vector<Class> classes;
  for (const NodeSpeed& speed : speeds) {
    if (classes.empty() || is_faster(classes.back().speed, speed)) classes.push_back({speed});
    ++classes.back().nodes;
  }
  for (std::size_t i = 1; i < classes.size(); ++i)
    invariant(classes[i - 1].speed.receiving_ns <= classes[i].speed.receiving_ns, "consistent speeds");
  return classes;
}

/// t(1), t(2), ... of the rounded classes: fastest node first.
Times ready_times(const std::vector<Class>& classes, Nanoseconds root_sending_ns) {
  struct Sender {
    Nanoseconds next_ns, sending_ns;
    bool operator>(const Sender& other) const { return next_ns > other.next_ns; }
  };
  std::priority_queue<Sender, std::vector<Sender>, std::greater<>> senders;
  senders.push({root_sending_ns, root_sending_ns});
  Times times;
  for (const Class& each : classes)
    for (int node = 0; node < each.nodes; ++node) {
      const auto [ready, sending] = senders.top();
      senders.pop();
      times.push_back(ready);
      senders.push({ready + sending, sending});
      senders.push({ready + each.rounded.receiving_ns + each.rounded.sending_ns, each.rounded.sending_ns});
    }
  return times;
}

class Rounding {
 public:
  Rounding(const ClusterGraph& cluster, NodeIndex root)
      : classes_(classes_of(cluster, root)), root_sending_ns_(cluster.speed(root).sending_ns) {
    for (const Class& each : classes_)
      receiving_.insert(receiving_.end(), each.nodes, each.speed.receiving_ns);
    std::ranges::reverse(receiving_);
    if (!classes_.empty()) try_first_classes();
  }

  Nanoseconds best() const { return best_ns_; }

 private:
  /// The fastest class sends in a whole part of some class' sending time, but not in less than half of its
  /// own.
  void try_first_classes() {
    const NodeSpeed fastest = classes_.front().speed;
    for (const Class& each : classes_)
      for (Nanoseconds parts = 1; parts <= each.speed.sending_ns; ++parts) {
        const Nanoseconds sending = each.speed.sending_ns / parts;
        if (2 * sending < fastest.sending_ns) break;
        if (sending <= fastest.sending_ns) try_class(0, {sending, fastest.receiving_ns});
      }
  }

  void try_class(std::size_t index, NodeSpeed rounded) {
    classes_[index].rounded = rounded;
    if (index + 1 == classes_.size()) return take_bound();
    const NodeSpeed next = classes_[index + 1].speed;
    const Nanoseconds receiving =
        next.receiving_ns - (next.receiving_ns - rounded.receiving_ns) % rounded.sending_ns;
    for (Nanoseconds multiple = next.sending_ns / rounded.sending_ns; multiple >= 1; --multiple)
      try_class(index + 1, {multiple * rounded.sending_ns, receiving});
  }

  void take_bound() {
    const Times times = ready_times(classes_, root_sending_ns_);
    for (std::size_t k = 0; k < times.size(); ++k) best_ns_ = std::max(best_ns_, times[k] + receiving_[k]);
  }

  std::vector<Class> classes_;
  Nanoseconds root_sending_ns_;
  Times receiving_;  ///< of all receivers, the longest first
  Nanoseconds best_ns_ = 0;
};

}  // namespace

Nanoseconds cluster_bound(const ClusterGraph& cluster, NodeIndex root) {
  return Rounding(cluster, root).best();
}

}  // namespace wan::bench
