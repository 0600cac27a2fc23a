// SPDX-License-Identifier: BSD-3-Clause
// probe/clusters.h: sites and levels by the gaps in round trips.
#include "probe/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/time.h"

namespace wan::probe {
namespace {

Partition groups(std::vector<int> labels) {
  return partition_by(labels);
}

TEST(Clusters, AreAsManyLevelsAsThereAreGaps) {
  // Racks {0,1} and {2,3}, a site of both, another site {4}, and a region {5} far away.
  const std::vector<Distance> distances{{0, 1, kMillisecond / 5},
                                        {2, 3, kMillisecond / 5},
                                        {1, 2, kMillisecond * 7 / 10},
                                        {3, 4, 4 * kMillisecond},
                                        {4, 5, 90 * kMillisecond}};
  const auto levels = levels_of(6, distances);
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_EQ(levels[0].partition, groups({0, 0, 1, 1, 2, 3}));
  EXPECT_EQ(levels[1].partition, groups({0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(levels[2].partition, groups({0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(levels[3].partition, groups({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(levels[1].inside_ns, kMillisecond * 7 / 10);
  EXPECT_EQ(levels[1].outside_ns, 4 * kMillisecond);
  EXPECT_EQ(sites_of(levels), levels[1].partition);
}

TEST(Clusters, AreOneSiteWhereNothingIsAMillisecondAway) {
  EXPECT_EQ(sites_of(levels_of(3, std::vector<Distance>{{0, 1, 120'000}, {1, 2, 900'000}})).groups, 1);
}

TEST(Clusters, AreOneSiteEachWhereAllHostsAreFar) {
  EXPECT_EQ(sites_of(levels_of(3, std::vector<Distance>{{0, 1, 2 * kMillisecond},
                                                        {1, 2, 3 * kMillisecond},
                                                        {0, 2, 80 * kMillisecond}}))
                .groups,
            3);
}

TEST(Clusters, LeaveHostsAloneThatNobodyReached) {
  const std::vector<Distance> distances{{0, 1, kMillisecond / 5}, {1, 2, 8 * kMillisecond}};
  EXPECT_EQ(sites_of(levels_of(4, distances)), groups({0, 0, 1, 2}));
  EXPECT_EQ(sites_of(levels_of(2, {})).groups, 2);
  EXPECT_EQ(sites_of(levels_of(1, {})).groups, 1);
}

TEST(Clusters, DoNotDependOnTheOrderOfMeasurements) {
  std::vector<Distance> distances{{0, 1, kMillisecond},
                                  {1, 2, kMillisecond},
                                  {2, 0, kMillisecond},
                                  {3, 0, 5 * kMillisecond},
                                  {3, 1, 5 * kMillisecond}};
  const auto levels = levels_of(4, distances);
  std::ranges::reverse(distances);
  for (Distance& each : distances) std::swap(each.a, each.b);
  const auto again = levels_of(4, distances);
  ASSERT_EQ(again.size(), levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) EXPECT_EQ(again[i].partition, levels[i].partition);
}

TEST(Clusters, AreNumberedByTheirFirstHosts) {
  const Partition partition = groups({7, 3, 7, 5});
  EXPECT_EQ(partition.group_of, (std::vector<int>{0, 1, 0, 2}));
  EXPECT_EQ(partition.members(), (std::vector<std::vector<Host>>{{0, 2}, {1}, {3}}));
}

}  // namespace
}  // namespace wan::probe
