// SPDX-License-Identifier: BSD-3-Clause
// process/topologies.h: who shares a topology, how long it is kept, and that no two have an epoch in common.
#include <gtest/gtest.h>

#include "process/topologies.h"

namespace wan {
namespace {

using Members = std::vector<Topologies::Process>;

/// Counts how often a topology is made.
class TopologyMaker {
 public:
  std::shared_ptr<const KnownTopology> get(Topologies& topologies, const Members& processes,
                                           std::size_t first_group = 0) {
    Topologies::Groups groups{processes};
    if (first_group > 0) {
      const auto middle = processes.begin() + static_cast<std::ptrdiff_t>(first_group);
      groups = {{processes.begin(), middle}, {middle, processes.end()}};
    }
    return topologies.get(groups, [&] {
      ++made;
      std::vector<Path> paths(processes.size(), Path{"site"});
      return Topology{Layout(paths), Network(1, Link{})};
    });
  }
  int made = 0;
};

TEST(Topologies, AreSharedByTheSameProcessesInTheSameOrder) {
  Topologies topologies;
  TopologyMaker maker;
  const auto first = maker.get(topologies, {{1, 0}, {1, 1}});
  EXPECT_EQ(maker.get(topologies, {{1, 0}, {1, 1}}), first);
  EXPECT_EQ(maker.made, 1);
  EXPECT_NE(maker.get(topologies, {{1, 1}, {1, 0}}), first) << "another order";
  EXPECT_NE(maker.get(topologies, {{1, 0}, {2, 1}}), first) << "another job";
  EXPECT_NE(maker.get(topologies, {{1, 0}}), first);
  EXPECT_NE(maker.get(topologies, {{1, 0}, {1, 1}}, 1), first) << "in two groups";
  EXPECT_EQ(maker.made, 5);
}

TEST(Topologies, HaveEpochsOfTheirOwn) {
  Topologies topologies;
  TopologyMaker maker;
  const auto one = maker.get(topologies, {{0, 0}}), other = maker.get(topologies, {{0, 1}});
  EXPECT_NE(one->epoch, other->epoch);
  EXPECT_NE(one->epoch, one->epoch_with_root);
  EXPECT_NE(one->epoch_with_root, other->epoch_with_root);
  EXPECT_EQ(maker.get(topologies, {{0, 0}})->epoch, one->epoch);
}

TEST(Topologies, OutliveTheirUsersForAWhile) {
  Topologies topologies;
  TopologyMaker maker;
  const EpochWatch first = EpochWatch(maker.get(topologies, {{0, 0}})->epoch);
  EXPECT_TRUE(first.is(maker.get(topologies, {{0, 0}})->epoch));
  for (std::uint32_t job = 1; job <= Topologies::kUnusedKept; ++job) maker.get(topologies, {{job, 0}});
  EXPECT_TRUE(first.is_over());
  EXPECT_FALSE(first.is(maker.get(topologies, {{0, 0}})->epoch)) << "made again";
}

TEST(Topologies, AreKeptAsLongAsTheyAreUsed) {
  Topologies topologies;
  TopologyMaker maker;
  const auto used = maker.get(topologies, {{0, 0}});
  for (std::uint32_t job = 1; job <= 3 * Topologies::kUnusedKept; ++job) maker.get(topologies, {{job, 0}});
  EXPECT_EQ(maker.get(topologies, {{0, 0}}), used);
}

}  // namespace
}  // namespace wan
