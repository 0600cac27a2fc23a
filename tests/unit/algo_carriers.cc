// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/carriers.h: which ranks help a root, and what goes along each connection.
#include <gtest/gtest.h>

#include <map>

#include "algo/exchange/carriers.h"
#include "algo/schedule.h"
#include "base/index.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Carriers = std::vector<Rank>;

Carriers carriers(const char* layout, Rank root, int lanes) {
  const Topology topology = topology_of(layout);
  return carriers_of(Position(topology, {}, root, root), root, lanes);
}

TEST(Carriers, AreAsFewAsGiveEachOtherSiteSoManyConnections) {
  EXPECT_EQ(carriers("a a a a b b b b", 0, 1), Carriers{0});
  EXPECT_EQ(carriers("a a a a b b b b", 0, 4), Carriers{0});
  EXPECT_EQ(carriers("a a a a b b b b", 0, 5), (Carriers{0, 1}));
  EXPECT_EQ(carriers("a a a a b b b b", 0, 16), (Carriers{0, 1, 2, 3}));
  EXPECT_EQ(carriers("a a b b b c", 0, 2), (Carriers{0, 1})) << "c has one rank";
  EXPECT_EQ(carriers("a b b b", 0, 9), Carriers{0}) << "there are no others";
}

TEST(Carriers, BeginWithTheRoot) {
  EXPECT_EQ(carriers("a a a a b b b b", 2, 16), (Carriers{2, 3, 0, 1}));
  EXPECT_EQ(carriers("a b a b a b a b", 4, 8), (Carriers{4, 6}));
}

/// Units between ranks of two sites, of a call with four lanes.
std::map<std::pair<Rank, Rank>, Count> crossing(Collective collective) {
  const Topology topology = topology_of("a a b b");
  Tuning tuning;
  tuning.lanes = 4;
  tuning.aggregate_limit = 0;
  GlobalCall call;
  call.collective = collective;
  call.size = 4;
  call.block = 101;
  const std::vector<Program> programs = plan_all(topology, tuning, call);
  std::map<std::pair<Rank, Rank>, Count> units;
  for (Rank rank = 0; rank < 4; ++rank) {
    const Program& program = programs[at(rank)];
    for (StepIndex i = 0; i < program.size(); ++i) {
      const Step step = program.step(i);
      if (step.kind == StepKind::send && (rank < 2) != (step.peer < 2))
        units[{rank, step.peer}] += step.length();
    }
  }
  return units;
}

TEST(Carriers, ShareEachBlock) {
  using Units = std::map<std::pair<Rank, Rank>, Count>;
  EXPECT_EQ(crossing(Collective::scatter), (Units{{{0, 2}, 50}, {{0, 3}, 50}, {{1, 2}, 51}, {{1, 3}, 51}}));
  EXPECT_EQ(crossing(Collective::gather), (Units{{{2, 0}, 50}, {{2, 1}, 51}, {{3, 0}, 50}, {{3, 1}, 51}}));
}

}  // namespace
}  // namespace wan
