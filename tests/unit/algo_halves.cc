// SPDX-License-Identifier: BSD-3-Clause
// algo/choice/halves.h: what plans on an intercommunicator are made from, and what follows from it: how many
// messages cross the wide area.
#include <gtest/gtest.h>

#include "algo/choice/halves.h"
#include "algo/schedule.h"
#include "check/verify.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

std::vector<Rank> ranks_of(const Layout& layout, SiteIndex site) {
  const auto ranks = layout.ranks_of(site);
  return {ranks.begin(), ranks.end()};
}

Call split_at(Collective collective, Rank split) {
  Call call;
  call.collective = collective;
  call.split = split;
  return call;
}

TEST(Halves, AreTheGroupsRanksOfEachSite) {
  const auto halves = halves_for(topology_of("a1 b1 a2 a1 c1 a1"), split_at(Collective::allreduce, 3));
  ASSERT_TRUE(halves);
  const Layout& layout = halves->layout;
  ASSERT_EQ(layout.sites(), 4);
  EXPECT_EQ(ranks_of(layout, 0), (std::vector<Rank>{0, 2}));
  EXPECT_EQ(ranks_of(layout, 1), (std::vector<Rank>{1}));
  EXPECT_EQ(ranks_of(layout, 2), (std::vector<Rank>{3, 5}));
  EXPECT_EQ(ranks_of(layout, 3), (std::vector<Rank>{4}));
  EXPECT_EQ(layout.group_of(0, 3), layout.group_of(0, 5));
  EXPECT_NE(layout.group_of(0, 0), layout.group_of(0, 2));
}

TEST(Halves, HaveTheLinksOfTheirSitesAndAreNextDoorToEachOther) {
  Topology topology = topology_of("a b a");
  topology.overheads = {{1, 2}, {3, 4}, {5, 6}};
  const auto halves = halves_for(topology, split_at(Collective::barrier, 2));
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->network.link(0, 1), topology.network.link(0, 1));
  EXPECT_EQ(halves->network.link(2, 1), topology.network.link(0, 1));
  EXPECT_LT(halves->network.link(0, 2).latency_ns, 1'000'000);
  EXPECT_EQ(halves->overheads, topology.overheads);
}

TEST(Halves, AreNotMadeOfOneGroupNorWhereEachRankHasSomethingElseForEachOther) {
  const Topology topology = topology_of("a b a");
  EXPECT_FALSE(halves_for(topology, split_at(Collective::allreduce, 0)));
  EXPECT_FALSE(halves_for(topology, split_at(Collective::gather, 1)));
  EXPECT_FALSE(halves_for(topology, split_at(Collective::scatter, 1)));
  EXPECT_FALSE(halves_for(topology, split_at(Collective::reduce, 1)));
  EXPECT_FALSE(halves_for(topology, split_at(Collective::alltoall, 1)));
}

TEST(Halves, WithARootAreTheRootAndTheOtherGroup) {
  const Topology rooted = with_root(topology_of("a b c a c"), 1, {2, 5});
  ASSERT_EQ(rooted.layout.size(), 4);
  EXPECT_EQ(rooted.layout.site_name(0), "b");
  EXPECT_EQ(ranks_of(rooted.layout, 1), (std::vector<Rank>{1, 3}));
  EXPECT_EQ(rooted.layout.site_name(1), "c");
  EXPECT_EQ(rooted.network.sites(), 3);
}

/// What crosses the wide area between two groups, {0 .. 3} and {4 .. 9}, which share site b.
Verdict verdict_of(const GlobalCall& call) {
  const Topology topology = topology_of("a a b b b b b c c c");
  Verdict verdict = verify(plan_all(topology, {}, call), call, topology.layout);
  EXPECT_TRUE(verdict.is_correct()) << verdict.defects.front();
  EXPECT_LE(verdict.latencies, 1);
  EXPECT_EQ(verdict.repeated_units, 0);
  return verdict;
}

GlobalCall call_of_halves(Collective collective, Count block) {
  GlobalCall call{collective, 10, 0, OperandOrder::any, block, {}, {}};
  call.split = 4;
  call.back = 5;
  return call;
}

TEST(Halves, ABlockGoesIntoEachSiteOfTheOtherGroupOnce) {
  const TrafficMatrix traffic = verdict_of(call_of_halves(Collective::allgather, 3)).between_sites;
  const TrafficMatrix expected{{{0, 1}, {1, 6}}, {{0, 2}, {1, 6}},  {{1, 0}, {1, 15}},
                               {{1, 2}, {1, 6}}, {{2, 0}, {1, 15}}, {{2, 1}, {1, 15}}};
  EXPECT_EQ(traffic, expected);
}

TEST(Halves, ASumGoesIntoEachSiteOfTheOtherGroupOnce) {
  const TrafficMatrix traffic = verdict_of(call_of_halves(Collective::allreduce, 7)).between_sites;
  const TrafficMatrix expected{{{0, 1}, {1, 7}}, {{0, 2}, {1, 7}}, {{1, 0}, {1, 7}},
                               {{1, 2}, {1, 7}}, {{2, 0}, {1, 7}}, {{2, 1}, {1, 7}}};
  EXPECT_EQ(traffic, expected);
}

TEST(Halves, WhatASiteHasForAnotherTravelsTogetherWhateverItsGroup) {
  const TrafficMatrix traffic = verdict_of(call_of_halves(Collective::alltoall, 3)).between_sites;
  const TrafficMatrix expected{{{0, 1}, {1, 2 * 3 * 3}}, {{0, 2}, {1, 2 * 3 * 3}}, {{1, 0}, {1, 3 * 2 * 5}},
                               {{1, 2}, {1, 2 * 3 * 3}}, {{2, 0}, {1, 3 * 2 * 5}}, {{2, 1}, {1, 3 * 2 * 5}}};
  EXPECT_EQ(traffic, expected);
}

TEST(Halves, OfABarrierNobodyWaitsForTheOwnGroup) {
  const Topology topology = topology_of("a b");
  const GlobalCall call{Collective::barrier, 2, 0, OperandOrder::any, 0, {}, {}, 1, 1};
  EXPECT_TRUE(verify(plan_all(topology, {}, call), call, topology.layout).is_correct());
  GlobalCall of_three{Collective::barrier, 3, 0, OperandOrder::any, 0, {}, {}, 1, 2};
  const Topology three = topology_of("a b c");
  EXPECT_EQ(verify(plan_all(three, {}, of_three), of_three, three.layout).between_sites.size(), 4U);
}

}  // namespace
}  // namespace wan
