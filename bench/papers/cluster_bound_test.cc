// SPDX-License-Identifier: BSD-3-Clause
// cluster_bound: exact where its argument is, and never above the optimum of exhaustive search. RC_PARAMS
// sets the number of random cases and the seed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bench/papers/cluster_bound.h"
#include "tests/support/optimal_broadcast.h"

namespace wan::bench {
namespace {

int pick(int from, int to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to + 1));
}

TEST(ClusterBound, OfOneNodeIsNothing) {
  EXPECT_EQ(cluster_bound(ClusterGraph({{5, 7}}, 1), 0), 0);
}

TEST(ClusterBound, OfTwoNodesIsTheSend) {
  EXPECT_EQ(cluster_bound(ClusterGraph({{5, 7}, {3, 4}}, 1), 0), 10);
}

TEST(ClusterBound, OfEqualNodesIsExact) {
  for (std::size_t nodes = 1; nodes <= 8; ++nodes) {
    const ClusterGraph cluster(std::vector<NodeSpeed>(nodes, {3, 4}), 0);
    EXPECT_EQ(cluster_bound(cluster, 0), optimal_broadcast(cluster, 0)) << nodes << " nodes";
  }
}

// Three nodes receive within 5, the others within 1: the last of the three cannot be ready before 3.
TEST(ClusterBound, CountsTheSlowReceivers) {
  const ClusterGraph cluster({{1, 1}, {9, 5}, {9, 5}, {9, 5}, {1, 1}}, 0);
  EXPECT_EQ(cluster_bound(cluster, 0), 8);
  EXPECT_EQ(optimal_broadcast(cluster, 0), 8);
}

TEST(ClusterBound, RefusesInconsistentSpeeds) {
  EXPECT_DEATH(cluster_bound(ClusterGraph({{1, 1}, {1, 9}, {2, 3}}, 0), 0), "consistent speeds");
}

RC_GTEST_PROP(ClusterBound, IsNeverAboveTheOptimum, ()) {
  std::vector<NodeSpeed> classes;
  NodeSpeed speed{pick(1, 9), pick(0, 9)};
  for (int i = 0; i < 3; ++i) {
    classes.push_back(speed);
    speed = {speed.sending_ns + pick(0, 9), speed.receiving_ns + pick(0, 9)};
  }
  std::vector<NodeSpeed> speeds;
  for (int node = pick(1, 8); node > 0; --node)
    speeds.push_back(classes[static_cast<std::size_t>(pick(0, 2))]);
  const ClusterGraph cluster(speeds, 0);
  const NodeIndex root = pick(0, cluster.nodes() - 1);
  const Nanoseconds optimum = optimal_broadcast(cluster, root);
  RC_ASSERT(cluster_bound(cluster, root) <= optimum);
  RC_ASSERT(2 * cluster_bound(cluster, root) >= optimum);
}

}  // namespace
}  // namespace wan::bench
