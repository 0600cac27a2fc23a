// SPDX-License-Identifier: BSD-3-Clause
// algo/choice/choice.h: which algorithm a call gets, and what comes with it. That all ranks choose alike is
// tested by tests/property.
#include <gtest/gtest.h>

#include "algo/choice/choice.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

/// Links of 10 ms and 12.5 MB/s.
Choice choice_on(const std::string& layout, Collective collective, Count block,
                 OperandOrder order = OperandOrder::any) {
  Call call;
  call.collective = collective;
  call.block = block;
  call.order = order;
  return choose(topology_of(layout), {}, call);
}

Algorithm algorithm_on(const std::string& layout, Collective collective, Count block,
                       OperandOrder order = OperandOrder::any) {
  return choice_on(layout, collective, block, order).algorithm();
}

constexpr Count kLong = 4'000'000;

TEST(Choice, LongVectorsAreSpread) {
  for (const Collective collective :
       {Collective::bcast, Collective::reduce, Collective::allreduce, Collective::scan, Collective::exscan}) {
    EXPECT_EQ(algorithm_on("a a b b c c", collective, 8), Algorithm::direct);
    EXPECT_EQ(algorithm_on("a a b b c c", collective, kLong), Algorithm::spread);
    EXPECT_EQ(algorithm_on("a a b b b", collective, kLong), Algorithm::direct);
  }
}

TEST(Choice, WhatNeedsTheRanksOrderIsNotSpread) {
  EXPECT_EQ(algorithm_on("a b c", Collective::allreduce, kLong, OperandOrder::rank), Algorithm::spread);
  EXPECT_EQ(algorithm_on("a b c", Collective::reduce, kLong, OperandOrder::rank), Algorithm::direct);
  EXPECT_EQ(algorithm_on("a b c a", Collective::scan, kLong), Algorithm::direct);
  EXPECT_EQ(algorithm_on("b a a c", Collective::scan, kLong), Algorithm::spread);
}

TEST(Choice, ShortBlocksAreAggregated) {
  for (const Collective collective : {Collective::gather, Collective::scatter, Collective::alltoall}) {
    EXPECT_EQ(algorithm_on("a a b b", collective, 8), Algorithm::aggregate);
    EXPECT_EQ(algorithm_on("a a b b", collective, kLong), Algorithm::direct);
  }
  EXPECT_EQ(algorithm_on("a a b b", Collective::alltoallv, 0), Algorithm::aggregate);
  EXPECT_EQ(algorithm_on("a a a", Collective::alltoallv, 0), Algorithm::direct);
  EXPECT_EQ(algorithm_on("a a b b", Collective::gatherv, 0), Algorithm::direct);
  EXPECT_EQ(algorithm_on("a a b b", Collective::allgather, 8), Algorithm::direct);
}

TEST(Choice, WhereASiteHasSoManyRanksThatBlocksCostMoreThanMessagesAlltoallIsDirect) {
  const auto on_sites_of = [](int ranks, Collective collective, Algorithm forced = Algorithm::automatic) {
    std::vector<Path> paths(static_cast<std::size_t>(ranks), Path{"a"});
    paths.resize(static_cast<std::size_t>(2 * ranks), Path{"b"});
    Tuning tuning;
    tuning.algorithms.force(collective, forced);
    Call call;
    call.collective = collective;
    call.block = 8;
    return choose({Layout(paths), Network(2, {10'000'000, 12'500'000, 0})}, tuning, call).algorithm();
  };
  EXPECT_EQ(on_sites_of(600, Collective::alltoall), Algorithm::aggregate);
  EXPECT_EQ(on_sites_of(700, Collective::alltoall), Algorithm::direct);
  EXPECT_EQ(on_sites_of(100, Collective::alltoallv), Algorithm::aggregate);
  EXPECT_EQ(on_sites_of(150, Collective::alltoallv), Algorithm::direct)
      << "it may be planned anew in each call";
  for (const Collective collective : {Collective::alltoall, Collective::alltoallv})
    EXPECT_EQ(on_sites_of(700, collective, Algorithm::aggregate), Algorithm::aggregate);
  EXPECT_EQ(on_sites_of(700, Collective::gather), Algorithm::aggregate);
}

TEST(Choice, IsWhatIsForcedOrDirectOrByCoordinators) {
  for (const CollectiveTraits& each : all_collectives())
    for (const Algorithm forced : algorithms_of(each.collective))
      for (const char* layout : {"a a", "a a b", "a b a c", "a b c d"})
        for (const Count block : {Count{0}, Count{8}, kLong}) {
          Call call;
          call.collective = each.collective;
          call.block = block;
          call.receive_counts.assign(4, block);
          Tuning tuning;
          tuning.algorithms.force(each.collective, forced);
          const Algorithm chosen = choose(topology_of(layout), tuning, call).algorithm();
          EXPECT_TRUE(forced == Algorithm::automatic || chosen == forced || chosen == Algorithm::direct ||
                      chosen == Algorithm::aggregate)
              << each.name << " on " << layout << ": " << name_of(chosen) << " for " << name_of(forced);
          EXPECT_TRUE(forced != Algorithm::direct || chosen == Algorithm::direct) << each.name;
        }
}

TEST(Choice, AVectorThatIsNotSpreadIsOneShardOfTheRootOrOfEverySite) {
  const auto shards = [](Collective collective) {
    Call call;
    call.collective = collective;
    call.block = 8;
    const Topology topology = topology_of("a b c");
    return shards_of(topology.layout, call, choose(topology, {}, call).way);
  };
  const Shards rooted = shards(Collective::bcast), unrooted = shards(Collective::allreduce);
  ASSERT_EQ(rooted.size(), 1);
  ASSERT_EQ(unrooted.size(), 1);
  EXPECT_EQ(rooted.front().owner, 0);
  EXPECT_EQ(unrooted.front().owner, std::nullopt);
  EXPECT_EQ(unrooted.front().length, 8);
}

TEST(Choice, SharesAreCutIntoShorterSegmentsBetweenSites) {
  EXPECT_EQ(choice_on("a b", Collective::bcast, 400'000).segmentation.segment, 20'238);
  EXPECT_EQ(choice_on("a b c d", Collective::bcast, 400'000).segmentation.segment,
            12'500);  // an eighth of a share
  EXPECT_EQ(choice_on("a b c d", Collective::bcast, 400'000).inside_sites.segment, 32'768);
}

TEST(Choice, FewerMessagesAreUnderWayInsideASite) {
  const Choice choice = choice_on("a b", Collective::allreduce, 8);
  EXPECT_LT(choice.inside_sites.sends.most, choice.segmentation.sends.most);
  EXPECT_LT(choice.inside_sites.sends.first, choice.inside_sites.sends.most);
}

}  // namespace
}  // namespace wan
