// SPDX-License-Identifier: BSD-3-Clause
// process/topologies.h: who shares a topology, how long it is kept, and that no two have an epoch in common.
#include <gtest/gtest.h>

#include <set>

#include "process/topologies.h"

namespace wan {
namespace {

using Processes = std::vector<Topologies::Process>;

/// Counts how often a topology is made.
class Maker {
 public:
  std::shared_ptr<const KnownTopology> get(Topologies& topologies, const Processes& processes) {
    return topologies.get(processes, [&] {
      ++made;
      std::vector<Path> paths(processes.size(), Path{"site"});
      return Topology{Layout(paths), Network(1, Link{})};
    });
  }
  int made = 0;
};

TEST(Topologies, AreSharedByTheSameProcessesInTheSameOrder) {
  Topologies topologies;
  Maker maker;
  const auto first = maker.get(topologies, {{1, 0}, {1, 1}});
  EXPECT_EQ(maker.get(topologies, {{1, 0}, {1, 1}}), first);
  EXPECT_EQ(maker.made, 1);
  EXPECT_NE(maker.get(topologies, {{1, 1}, {1, 0}}), first) << "another order";
  EXPECT_NE(maker.get(topologies, {{1, 0}, {2, 1}}), first) << "another job";
  EXPECT_NE(maker.get(topologies, {{1, 0}}), first);
  EXPECT_EQ(maker.made, 4);
}

TEST(Topologies, HaveEpochsOfTheirOwn) {
  Topologies topologies;
  Maker maker;
  std::set<Epoch> epochs{next_epoch()};
  for (std::uint32_t job = 0; job < 20; ++job) {
    const auto known = maker.get(topologies, {{job, 0}});
    EXPECT_TRUE(epochs.insert(known->epoch).second);
    EXPECT_TRUE(epochs.insert(known->epoch_with_root).second);
  }
}

TEST(Topologies, OutliveTheirUsersForAWhile) {
  Topologies topologies;
  Maker maker;
  const Epoch first = maker.get(topologies, {{0, 0}})->epoch;
  EXPECT_EQ(maker.get(topologies, {{0, 0}})->epoch, first);
  for (std::uint32_t job = 1; job <= Topologies::kUnusedKept; ++job) maker.get(topologies, {{job, 0}});
  EXPECT_NE(maker.get(topologies, {{0, 0}})->epoch, first) << "forgotten, made again, with another epoch";
}

TEST(Topologies, AreKeptAsLongAsTheyAreUsed) {
  Topologies topologies;
  Maker maker;
  const auto used = maker.get(topologies, {{0, 0}});
  for (std::uint32_t job = 1; job <= 3 * Topologies::kUnusedKept; ++job) maker.get(topologies, {{job, 0}});
  EXPECT_EQ(maker.get(topologies, {{0, 0}}), used);
}

}  // namespace
}  // namespace wan
