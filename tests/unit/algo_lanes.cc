// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/lanes.h and algo/choice/lane_choice.h: how many lanes a call has, who carries which shard of
// the vector, and what that does to what each connection between sites carries.
#include <gtest/gtest.h>

#include <map>
#include <ranges>
#include <set>

#include "algo/choice/choice.h"
#include "algo/choice/lane_choice.h"
#include "algo/exchange/lanes.h"
#include "algo/schedule.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Ranks = std::vector<Rank>;

constexpr Bytes kMegabyte = 1'000'000;

/// Links of 25 ms each way and 100 MB/s: 5 MB in a round trip.
Topology long_and_fat(const std::string& words) {
  const Layout layout = layout_of(words);
  return {layout, Network(layout.sites(), Link{25'000'000, 100'000'000, 0})};
}

Tuning with_window(Bytes window) {
  Tuning tuning;
  tuning.flow_window = window;
  return tuning;
}

GlobalCall call_on(Collective collective, Rank size, Count block, Bytes unit_bytes = 1) {
  return {collective, size, 0, OperandOrder::any, block, {}, {}, unit_bytes};
}

int lanes(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  return choose(topology, tuning, call.view(0)).lanes;
}

TEST(LaneChoice, AsManyWindowsAsAreUnderWay) {
  const Topology topology = long_and_fat("a a a a a a b b b b b b");
  const auto of = [&](Bytes bytes) {
    return lanes(topology, with_window(kMegabyte), call_on(Collective::bcast, 12, bytes));
  };
  EXPECT_EQ(of(8), 1);
  EXPECT_EQ(of(kMegabyte), 1);
  EXPECT_EQ(of(kMegabyte + 1), 2);
  EXPECT_EQ(of(3 * kMegabyte), 3);
  EXPECT_EQ(of(100 * kMegabyte), 5);
}

TEST(LaneChoice, LinksStayEmptyWhereAllPairsTogetherHaveTooLittleUnderWay) {
  const Topology topology = long_and_fat("a a b b");  // 4 pairs, 5 MB
  const auto leave_empty = [&](Bytes flow_window, Bytes idle_window) {
    Tuning tuning = with_window(flow_window);
    tuning.idle_window = idle_window;
    return leave_links_empty(topology, tuning);
  };
  EXPECT_FALSE(leave_empty(0, 0)) << "nothing is known";
  EXPECT_FALSE(leave_empty(0, kMegabyte)) << "four of the five leave at once";
  EXPECT_TRUE(leave_empty(0, kMegabyte / 2));
  EXPECT_TRUE(leave_empty(kMegabyte / 2, 0));
  EXPECT_FALSE(leave_empty(2 * kMegabyte, 0));
  EXPECT_TRUE(leave_empty(2 * kMegabyte, 11'584)) << "before windows have grown";
}

TEST(LaneChoice, ElementsCountInBytes) {
  const Topology topology = long_and_fat("a a a a b b b b");
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::allreduce, 8, 250'000, 8)), 2);
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::allreduce, 8, 125'000, 8)), 1);
}

TEST(LaneChoice, NoMoreThanTwoSitesHavePairsOfRanks) {
  const GlobalCall call = call_on(Collective::bcast, 5, 100 * kMegabyte);
  EXPECT_EQ(lanes(long_and_fat("a b b b b"), with_window(kMegabyte), call), 4);
  EXPECT_EQ(lanes(long_and_fat("a a b b c"), with_window(kMegabyte), call), 4);
  EXPECT_EQ(lanes(long_and_fat("a b c d e"), with_window(kMegabyte), call), 1);
}

TEST(LaneChoice, ALinkNeedsNoMoreThanItsOwnSitesHave) {
  Topology topology = long_and_fat("a b c c c c");
  const Link thin{25'000'000, 1'000'000, 0}, fat{25'000'000, 100'000'000, 0};
  topology.network = uncapped_network(3, {thin, fat, thin, fat, thin, thin, thin, thin, thin});
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::allreduce, 6, 100 * kMegabyte)), 1);
}

TEST(LaneChoice, OnlyTheRootsLinksCount) {
  Topology topology = long_and_fat("a b b b c c c");
  const Link thin{25'000'000, 1'000'000, 0}, fat{25'000'000, 100'000'000, 0};
  topology.network = uncapped_network(3, {thin, thin, thin, thin, thin, fat, thin, fat, thin});
  Tuning tuning = with_window(kMegabyte);
  tuning.algorithms.force(Collective::bcast, Algorithm::direct);
  GlobalCall call = call_on(Collective::bcast, 7, 100 * kMegabyte);
  EXPECT_EQ(lanes(topology, tuning, call), 1);
  call.root = 1;
  EXPECT_EQ(lanes(topology, tuning, call), 5);
}

TEST(LaneChoice, AccessLinksCount) {
  const std::vector<std::optional<BytesPerSecond>> caps(2, 20'000'000);
  Topology topology = long_and_fat("a a a a b b b b");
  topology.network = Network(2, std::vector<Link>(4, Link{25'000'000, 100'000'000, 0}), caps, caps);
  EXPECT_EQ(lanes(topology, with_window(500'000), call_on(Collective::bcast, 8, 100 * kMegabyte)), 2);
}

TEST(LaneChoice, ALaneCarriesSeveralSegments) {
  const Topology topology = long_and_fat("a a a a b b b b");
  EXPECT_EQ(lanes(topology, with_window(10'000), call_on(Collective::bcast, 8, 200'000)), 3);
}

TEST(LaneChoice, SoManyThatAllLeavesAtOnceAfterAPause) {
  // 75 ms each way, 2.5 MB/s: 375 kB in a round trip.
  const Layout layout = layout_of("a a a a b b b b");
  const Topology topology{layout, Network(2, Link{75'000'000, 2'500'000, 0})};
  Tuning tuning;
  tuning.idle_window = 14'480;
  const auto of = [&](Bytes bytes) { return lanes(topology, tuning, call_on(Collective::bcast, 8, bytes)); };
  EXPECT_EQ(of(14'480), 1);
  EXPECT_EQ(of(14'481), 2);
  EXPECT_EQ(of(64 << 10), 5);
  EXPECT_EQ(of(16 * 14'480), 16);
  EXPECT_EQ(of(18 * 14'480), 16);
  EXPECT_EQ(of(8 * 16 * 14'480), 16) << "26 would fill the link";
  EXPECT_EQ(of(8 * 16 * 14'480 + 1), 1) << "one connection is quick most of the time";
  EXPECT_EQ(most_lanes(topology, tuning), 16);
  tuning.algorithms.force(Collective::allreduce, Algorithm::spread);
  EXPECT_EQ(lanes(topology, tuning, call_on(Collective::allreduce, 8, 4 * 14'480)), 4)
      << "half of it to its owner, and the other half from there";
  const Topology large{layout_of("a a a a a a a a a a b b b b b b b b b b"), topology.network};
  const auto of_large = [&](Bytes bytes) {
    return lanes(large, tuning, call_on(Collective::bcast, 20, bytes));
  };
  tuning.idle_window = 5'000;
  EXPECT_EQ(of_large(32 * 5'000), 32);
  EXPECT_EQ(of_large(33 * 5'000), 32);
  tuning.idle_window = 2'000;
  EXPECT_EQ(of_large(8 * 32 * 2'000), 32);
  EXPECT_EQ(of_large(8 * 32 * 2'000 + 1), 1);
  EXPECT_EQ(most_lanes(large, tuning), 32);
  tuning.idle_window = 25'000;
  EXPECT_EQ(of(3'200'000), 15) << "the link never waits";
  tuning.flow_window = 200'000;
  EXPECT_EQ(of(3'200'000), 15);
  EXPECT_EQ(of(3'200'001), 2);
}

TEST(LaneChoice, OfAGatherOrScatterNoMoreThanCarriersMayKeep) {
  const Topology topology = long_and_fat("a a a a b b b b");
  for (const Collective collective : {Collective::gather, Collective::scatter}) {
    EXPECT_GT(lanes(topology, with_window(kMegabyte), call_on(collective, 8, (64 << 20) / 8)), 1);
    EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(collective, 8, (64 << 20) / 8 + 1)), 1);
  }
}

TEST(LaneChoice, NoneWithoutAWindowUnlessForced) {
  const Topology topology = long_and_fat("a a a a b b b b");
  Tuning tuning;
  EXPECT_EQ(lanes(topology, tuning, call_on(Collective::bcast, 8, 100 * kMegabyte)), 1);
  EXPECT_EQ(most_lanes(topology, tuning), 1);
  tuning.lanes = 3;
  EXPECT_EQ(lanes(topology, tuning, call_on(Collective::bcast, 8, 100)), 3);
  EXPECT_EQ(lanes(topology, tuning, call_on(Collective::bcast, 8, 2)), 2);
  EXPECT_EQ(lanes(topology, tuning, call_on(Collective::bcast, 8, 0)), 1);
  EXPECT_EQ(most_lanes(topology, tuning), 3);
  tuning.lanes = 1;
  tuning.flow_window = kMegabyte;
  EXPECT_EQ(lanes(topology, tuning, call_on(Collective::bcast, 8, 100 * kMegabyte)), 1);
}

TEST(LaneChoice, AReductionInRankOrderHasOne) {
  const Topology topology = long_and_fat("a a a a b b b b");
  GlobalCall call = call_on(Collective::reduce, 8, 100 * kMegabyte);
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call), 5);
  call.order = OperandOrder::rank;
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call), 1);
}

TEST(LaneChoice, WindowsHoldUpWhatIsLongerThanAllOfThem) {
  const Topology topology = long_and_fat("a a b b");
  const auto seen = [&](Bytes bytes, int forced) {
    Tuning tuning = with_window(kMegabyte);
    tuning.lanes = forced;
    const auto network = network_of_windows(topology, tuning, call_on(Collective::bcast, 4, bytes).view(0));
    return network ? network->link(0, 1).bandwidth_bytes_per_s : 0;
  };
  EXPECT_EQ(seen(kMegabyte, 0), 0);
  EXPECT_EQ(seen(4 * kMegabyte, 0), 100 * kMegabyte);
  EXPECT_EQ(seen(4 * kMegabyte + 1, 0), 80 * kMegabyte) << "four pairs of ranks";
  EXPECT_EQ(seen(2 * kMegabyte, 1), 20 * kMegabyte);
  const Tuning wide = with_window(5 * kMegabyte);
  EXPECT_FALSE(network_of_windows(topology, wide, call_on(Collective::bcast, 4, 100 * kMegabyte).view(0)));
  EXPECT_FALSE(network_of_windows(topology, with_window(kMegabyte),
                                  call_on(Collective::alltoall, 4, 100 * kMegabyte).view(0)));
}

TEST(LaneChoice, AnotherLatencyMayTakeLessThanAnotherWindow) {
  const Topology topology = long_and_fat("a a b b c c d d");
  const auto algorithm = [&](Bytes window, Bytes bytes) {
    return choose(topology, with_window(window), call_on(Collective::bcast, 8, bytes).view(0)).algorithm();
  };
  EXPECT_EQ(algorithm(0, kMegabyte), Algorithm::direct);
  EXPECT_EQ(algorithm(150'000, kMegabyte), Algorithm::spread);
  EXPECT_EQ(algorithm(150'000, 300'000), Algorithm::direct);
}

/// offset+length of each lane of rank 0, and the owner:offset+length of its shards.
std::string text_of(const Lanes& lanes) {
  std::string text;
  for (const Lane& lane : lanes) {
    text += std::to_string(lane.offset) + "+" + std::to_string(lane.length) + " (";
    for (const Shard& shard : lane.shards)
      text += " " + std::to_string(shard.owner.value_or(-1)) + ":" + std::to_string(shard.offset) + "+" +
              std::to_string(shard.length);
    text += " ) ";
  }
  return text;
}

TEST(Lanes, ShareEachShard) {
  const Topology topology = topology_of("a a a b b b");
  const Tuning tuning;
  const Position position(topology, tuning, 0, std::nullopt);
  EXPECT_EQ(text_of(lanes_of(position, Shards{{std::nullopt, 0, 8}}, 1)), "0+8 ( -1:0+8 ) ");
  EXPECT_EQ(text_of(lanes_of(position, Shards{{std::nullopt, 0, 8}}, 3)),
            "0+2 ( -1:0+2 ) 2+3 ( -1:0+3 ) 5+3 ( -1:0+3 ) ");
  EXPECT_EQ(text_of(lanes_of(position, Shards{{0, 0, 1}, {1, 1, 4}}, 2)),
            "0+2 ( 1:0+2 ) 2+3 ( 0:0+1 1:1+2 ) ");
  EXPECT_EQ(text_of(lanes_of(position, Shards{{1, 0, 0}}, 1)), "0+0 ( 1:0+0 ) ");
}

/// Bytes from each rank to each rank of another site.
std::map<std::pair<Rank, Rank>, Count> between_sites(const Topology& topology, const Tuning& tuning,
                                                     const GlobalCall& call) {
  std::map<std::pair<Rank, Rank>, Count> carried;
  const Schedule schedule = plan_all(topology, tuning, call);
  for (Rank me = 0; me < call.size; ++me)
    for (StepIndex i = 0; i < schedule[static_cast<std::size_t>(me)].size(); ++i) {
      const Step step = schedule[static_cast<std::size_t>(me)].step(i);
      if (step.kind == StepKind::send && topology.layout.site_of(step.peer) != topology.layout.site_of(me))
        carried[{me, step.peer}] += step.length();
    }
  return carried;
}

TEST(Lanes, EachConnectionCarriesItsShare) {
  const Topology topology = long_and_fat("a a a b b b");
  Tuning tuning;
  tuning.lanes = 3;
  const std::map<std::pair<Rank, Rank>, Count> there{{{0, 3}, 30}, {{1, 4}, 30}, {{2, 5}, 30}},
      back{{{3, 0}, 30}, {{4, 1}, 30}, {{5, 2}, 30}};
  std::map<std::pair<Rank, Rank>, Count> both(there);
  both.insert(back.begin(), back.end());
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::bcast, 6, 90)), there);
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::reduce, 6, 90)), back);
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::allreduce, 6, 90)), both);
}

TEST(Lanes, OfMoreThanRanksEachHasAConnectionOfItsOwn) {
  const auto fewest = [](const std::string& words, int lanes) {
    const Topology topology = topology_of(words);
    const Tuning tuning;
    std::map<std::pair<SiteIndex, SiteIndex>, std::set<std::pair<Rank, Rank>>> pairs;
    std::map<Rank, int> of_ranks;
    for (const Position& lane : Position(topology, tuning, 0, std::nullopt).in_lanes(lanes))
      for (SiteIndex from = 0; from < topology.layout.sites(); ++from) {
        ++of_ranks[lane.coordinator_of(from)];
        for (SiteIndex to = 0; to < from; ++to)
          pairs[{from, to}].insert({lane.coordinator_of(from), lane.coordinator_of(to)});
      }
    std::size_t distinct = static_cast<std::size_t>(lanes);
    for (const auto& [sites, found] : pairs) distinct = std::min(distinct, found.size());
    const auto [least, most] = std::ranges::minmax(of_ranks | std::views::values);
    EXPECT_LE(most - least, 1) << words << ": each rank has as many lanes";
    return distinct;
  };
  EXPECT_EQ(fewest("a a b b", 4), 4u);
  EXPECT_EQ(fewest("a a a b b b c c c", 9), 9u);
  EXPECT_EQ(fewest("a a a a b b b b c c c c d d d d", 16), 16u);
  EXPECT_GE(fewest("a a a a a b b b b b c c c c c", 25), 20u) << "dealt one after the other, not all are new";
  EXPECT_EQ(fewest("a a a a b b b b", 20), 16u) << "there are no more";
}

TEST(Lanes, EachConnectionCarriesItsShareOfTheBlocks) {
  const Topology topology = long_and_fat("a a a b b b");
  Tuning tuning;
  tuning.lanes = 3;
  std::map<std::pair<Rank, Rank>, Count> expected;
  for (Rank lane = 0; lane < 3; ++lane) expected[{lane, lane + 3}] = expected[{lane + 3, lane}] = 30;
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::allgather, 6, 30)), expected);
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::reduce_scatter_block, 6, 30)), expected);
  std::erase_if(expected, [](const auto& carried) { return carried.first.first > carried.first.second; });
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::scan, 6, 90)), expected);
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::exscan, 6, 90)), expected);
}

TEST(Lanes, ShareBlocksAsOneThing) {
  const std::vector<Count> blocks{4, 0, 5, 3};
  const auto text = [&](int lane, int number) {
    std::string found;
    for (const LaneShare& share : shares_of(blocks, lane, number))
      found += std::to_string(share.offset) + "+" + std::to_string(share.length) + " ";
    return found;
  };
  EXPECT_EQ(text(0, 1), "0+4 0+0 0+5 0+3 ");
  EXPECT_EQ(text(0, 2), "0+4 0+0 0+2 0+0 ");
  EXPECT_EQ(text(1, 2), "4+0 0+0 2+3 0+3 ");
}

TEST(LaneChoice, OfBlocksASitesCount) {
  const Topology topology = long_and_fat("a a a a b b b b");
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::allgather, 8, 200'000)), 1);
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::allgather, 8, 500'000)), 2);
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::reduce_scatter_block, 8, 100'000, 8)),
            4);
  EXPECT_EQ(lanes(topology, with_window(kMegabyte), call_on(Collective::alltoall, 8, 500'000)), 1);
}

TEST(Lanes, OfASmallSiteRanksCarrySeveral) {
  const Topology topology = long_and_fat("a b b b");
  Tuning tuning;
  tuning.lanes = 3;
  const std::map<std::pair<Rank, Rank>, Count> expected{{{0, 1}, 30}, {{0, 2}, 30}, {{0, 3}, 30}};
  EXPECT_EQ(between_sites(topology, tuning, call_on(Collective::bcast, 4, 90)), expected);
}

TEST(Lanes, AreSendersThatShareTheLinks) {
  const Topology topology = long_and_fat("a a b b b");
  Tuning tuning;
  const auto senders = [&](Rank me) {
    return plan(topology, tuning, me, call_on(Collective::allreduce, 5, 90).view(me)).senders();
  };
  EXPECT_EQ(senders(0), 1);
  tuning.lanes = 3;
  EXPECT_EQ(senders(0), 2);
  EXPECT_EQ(senders(2), 3);
}

TEST(Lanes, ShareTheLinksWithProcessesOnlyWhereTheseSendAsMuch) {
  const Topology topology = long_and_fat("a a a b b b");
  Tuning tuning;
  tuning.algorithms.force(Collective::alltoallv, Algorithm::direct);
  const auto senders = [&](Collective collective) {
    GlobalCall call = call_on(collective, 6, kMegabyte);
    if (traits(collective).vector) call.counts.assign(has_count_matrix(collective) ? 36 : 6, kMegabyte);
    return plan(topology, tuning, 5, call.view(5)).senders();
  };
  EXPECT_EQ(senders(Collective::alltoall), 3);
  EXPECT_EQ(senders(Collective::gather), 3);
  for (const Collective collective : {Collective::gatherv, Collective::alltoallv})
    EXPECT_EQ(senders(collective), 1) << "one of them may have everything: " << traits(collective).name;
}

TEST(Lanes, WhatAChildCarriesComesFirst) {
  const Topology topology = long_and_fat("a a a b b b");
  Tuning tuning;
  tuning.lanes = 3;
  const Program root = plan(topology, tuning, 0, call_on(Collective::bcast, 6, 90).view(0));
  std::map<Rank, Count> first;
  for (StepIndex i = 0; i < root.size(); ++i) {
    const Step step = root.step(i);
    first.try_emplace(step.peer, step.from.front().offset);
  }
  EXPECT_EQ(first, (std::map<Rank, Count>{{1, 30}, {2, 60}, {3, 0}}));
}

TEST(Lanes, EachSiteHasATreeForEachLane) {
  const Topology topology = long_and_fat("a a a b b b");
  Tuning tuning;
  const Lanes lanes = lanes_of(Position(topology, tuning, 4, 0), Shards{{0, 0, 90}}, 3);
  EXPECT_EQ(lanes[0].position.parent(), 3);
  EXPECT_EQ(lanes[1].position.parent(), std::nullopt);
  EXPECT_EQ(lanes[2].position.parent(), 5);
  EXPECT_EQ(children_of(lanes), (Ranks{3, 5}));
}

}  // namespace
}  // namespace wan
