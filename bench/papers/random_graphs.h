// SPDX-License-Identifier: BSD-3-Clause
// Random clusters and links for the study of broadcast trees. The same seed gives the same graphs everywhere.
// No threads.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "algo/trees/broadcast_graph.h"

namespace wan::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// from..to, both included.
  int pick(int from, int to) {
    return from + static_cast<int>(engine_() % static_cast<std::uint64_t>(to - from + 1));
  }
  /// `count` different ones of 1..most, ascending.
  std::vector<int> different(int count, int most);
  void shuffle(std::vector<NodeIndex>& nodes);

 private:
  std::mt19937_64 engine_;
};

/// Three classes of nodes, each node's drawn with equal probability. A class sends in 1 to 10 units and
/// receives, latency included, in 1 to `longest_receiving` units; no two classes in the same time, and who
/// sends faster receives faster.
struct ClusterFamily {
  std::string name;
  int longest_receiving;

  ClusterGraph draw(Random& random, NodeIndex nodes) const;
};
std::vector<ClusterFamily> cluster_families();

/// Links of their own in each direction: injection 1 to 20 units, weight 1 to `longest_weight`.
struct LinkFamily {
  std::string name;
  int longest_weight;

  LinkGraph draw(Random& random, NodeIndex nodes) const;
};
std::vector<LinkFamily> link_families();

}  // namespace wan::bench
