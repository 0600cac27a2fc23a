// SPDX-License-Identifier: BSD-3-Clause
// A whole call: what each rank knows of it, and what it asks of the wide area. Deterministic; no threads.
#include <gtest/gtest.h>

#include "cost_network.h"
#include "plan/global_call.h"

namespace wan {
namespace {

PairTraffic traffic(const GlobalCall& call, SiteIndex from, SiteIndex to) {
  return demand_of(layout("aab"), call).traffic.at(from, to);
}

// Layout aab, root in b, 8 bytes: what goes from a to b and from b to a.
struct Expected {
  Collective collective;
  PairTraffic up, down;
};

class EveryCollective : public testing::TestWithParam<Expected> {};

TEST_P(EveryCollective, SendsWhatItMust) {
  const GlobalCall call{GetParam().collective, 3, 2, OperandOrder::any, 8, {}, {}};
  EXPECT_EQ(traffic(call, 0, 1), GetParam().up);
  EXPECT_EQ(traffic(call, 1, 0), GetParam().down);
}

INSTANTIATE_TEST_SUITE_P(
    GlobalCall, EveryCollective,
    testing::Values(
        Expected{Collective::allgather, {1, 16}, {1, 8}}, Expected{Collective::allgatherv, {1, 16}, {1, 8}},
        Expected{Collective::allreduce, {1, 8}, {1, 8}}, Expected{Collective::alltoall, {1, 16}, {1, 16}},
        Expected{Collective::alltoallv, {1, 16}, {1, 16}}, Expected{Collective::alltoallw, {1, 16}, {1, 16}},
        Expected{Collective::barrier, {1, 0}, {1, 0}}, Expected{Collective::bcast, {}, {1, 8}},
        Expected{Collective::exscan, {1, 8}, {}}, Expected{Collective::gather, {1, 16}, {}},
        Expected{Collective::gatherv, {1, 16}, {}}, Expected{Collective::reduce, {1, 8}, {}},
        Expected{Collective::reduce_scatter, {1, 8}, {1, 16}},
        Expected{Collective::reduce_scatter_block, {1, 8}, {1, 16}}, Expected{Collective::scan, {1, 8}, {}},
        Expected{Collective::scatter, {}, {1, 16}}, Expected{Collective::scatterv, {}, {1, 16}}),
    [](const auto& instance) { return std::string(traits(instance.param.collective).name); });

GlobalCall on_ranks(Rank size, Collective collective, Rank root, std::vector<Count> counts) {
  return {collective, size, root, OperandOrder::any, 0, std::move(counts), {}};
}

TEST(GlobalCall, TheRootAloneHoldsTheCountsOfGatherv) {
  const GlobalCall call = on_ranks(3, Collective::gatherv, 1, {1, 2, 3});
  EXPECT_EQ(call.view(1).receive_counts, (std::vector<Count>{1, 2, 3}));
  EXPECT_EQ(call.view(1).send_counts, std::vector<Count>{2});
  EXPECT_EQ(call.view(2).receive_counts, std::vector<Count>{});
  EXPECT_EQ(call.view(2).send_counts, std::vector<Count>{3});
}

TEST(GlobalCall, TheRootAloneHoldsTheCountsOfScatterv) {
  const GlobalCall call = on_ranks(3, Collective::scatterv, 2, {1, 2, 3});
  EXPECT_EQ(call.view(2).send_counts, (std::vector<Count>{1, 2, 3}));
  EXPECT_EQ(call.view(0).send_counts, std::vector<Count>{});
  EXPECT_EQ(call.view(0).receive_counts, std::vector<Count>{1});
}

TEST(GlobalCall, InPlaceTheRootHasNoOwnCount) {
  GlobalCall call = on_ranks(2, Collective::gatherv, 0, {1, 2});
  call.placements = {Placement::in_place, Placement::separate};
  EXPECT_EQ(call.view(0).send_counts, std::vector<Count>{});
  EXPECT_EQ(call.view(0).placement, Placement::in_place);
  EXPECT_EQ(call.view(1).placement, Placement::separate);
}

TEST(GlobalCall, EachRankHoldsItsRowAndColumnOfAlltoallv) {
  const GlobalCall call = on_ranks(2, Collective::alltoallv, 0, {1, 2, 3, 4});
  EXPECT_EQ(call.view(0).send_counts, (std::vector<Count>{1, 2}));
  EXPECT_EQ(call.view(0).receive_counts, (std::vector<Count>{1, 3}));
  EXPECT_EQ(call.view(1).send_counts, (std::vector<Count>{3, 4}));
  EXPECT_EQ(call.view(1).receive_counts, (std::vector<Count>{2, 4}));
}

TEST(GlobalCall, EveryRankHoldsTheCountsOfAllgathervAndReduceScatter) {
  for (const Collective collective : {Collective::allgatherv, Collective::reduce_scatter})
    EXPECT_EQ(on_ranks(2, collective, 0, {5, 6}).view(1).receive_counts, (std::vector<Count>{5, 6}));
}

TEST(GlobalCall, BlocksBelongToTheirSourceOrTheirDestination) {
  EXPECT_EQ(on_ranks(2, Collective::allgatherv, 0, {5, 6}).block_between(1, 0), 6);
  EXPECT_EQ(on_ranks(2, Collective::reduce_scatter, 0, {5, 6}).block_between(1, 0), 5);
  EXPECT_EQ(on_ranks(2, Collective::alltoallw, 0, {1, 2, 3, 4}).block_between(1, 0), 3);
}

TEST(GlobalCall, BetweenGroupsRanksKnowTheCountsOfTheOtherOrOfTheirOwn) {
  GlobalCall call = on_ranks(5, Collective::allgatherv, 0, {1, 2, 3, 4, 5});
  call.split = 2;
  EXPECT_EQ(call.view(1).send_counts, std::vector<Count>{2});
  EXPECT_EQ(call.view(1).receive_counts, (std::vector<Count>{0, 0, 3, 4, 5}));
  EXPECT_EQ(call.view(4).receive_counts, (std::vector<Count>{1, 2, 0, 0, 0}));
  EXPECT_FALSE(known_call(call.view(1), 1, 5));
  call.collective = Collective::reduce_scatter;
  EXPECT_EQ(call.view(1).receive_counts, (std::vector<Count>{1, 2, 0, 0, 0}));
}

TEST(GlobalCall, BetweenGroupsNothingIsForTheOwn) {
  GlobalCall call{Collective::allreduce, 3, 0, OperandOrder::any, 8, {}, {}};
  call.split = 2;
  EXPECT_EQ(demand_of(layout("abc"), call).traffic.at(0, 1), PairTraffic{});
  EXPECT_EQ(demand_of(layout("abc"), call).traffic.at(2, 1), (PairTraffic{1, 8}));
  EXPECT_EQ(demand_of(layout("aba"), call).traffic.at(0, 1), (PairTraffic{1, 8}));
  EXPECT_EQ(demand_of(layout("aba"), call).information.at(1, 0), 8);
}

TEST(GlobalCall, BothGroupsOfASiteMayNeedSomethingOfAnother) {
  GlobalCall call{Collective::allgather, 4, 0, OperandOrder::any, 8, {}, {}};
  call.split = 2;
  call.back = 1;
  EXPECT_EQ(demand_of(layout("abab"), call).traffic.at(0, 1), (PairTraffic{2, 9}));
}

TEST(GlobalCall, AnotherCommunicatorsLayoutIsRefused) {
  EXPECT_DEATH(demand_of(layout("aab"), on_ranks(2, Collective::barrier, 0, {})), "another communicator");
}

TEST(GlobalCall, IsKnownToRanksThatHaveAllCounts) {
  const GlobalCall gather = on_ranks(3, Collective::gatherv, 1, {1, 2, 3}),
                   scatter = on_ranks(3, Collective::scatterv, 1, {1, 2, 3});
  EXPECT_EQ(known_call(gather.view(1), 1, 3)->counts, gather.counts);
  EXPECT_EQ(known_call(scatter.view(1), 1, 3)->counts, scatter.counts);
  EXPECT_FALSE(known_call(gather.view(0), 0, 3));
  EXPECT_FALSE(known_call(scatter.view(2), 2, 3));
  EXPECT_EQ(known_call(on_ranks(2, Collective::allgatherv, 0, {5, 6}).view(1), 1, 2)->counts,
            (std::vector<Count>{5, 6}));
  EXPECT_FALSE(known_call(on_ranks(2, Collective::alltoallv, 0, {1, 2, 3, 4}).view(0), 0, 2));
  const GlobalCall scan{Collective::scan, 3, 0, OperandOrder::rank, 7, {}, {}, 4};
  const auto known = known_call(scan.view(2), 2, 3);
  EXPECT_EQ(known->block, 7);
  EXPECT_EQ(known->unit_bytes, 4);
  EXPECT_EQ(known->order, OperandOrder::rank);
}

TEST(GlobalCall, TheBoundCountsBytesOfElements) {
  const Topology topology{layout("ab"), Mesh(2, 10_ms, 1_MBps).network()};
  EXPECT_EQ(bound_of(topology, {Collective::bcast, 2, 0, OperandOrder::any, 1'000, {}, {}}), 11_ms);
  EXPECT_EQ(bound_of(topology, {Collective::reduce, 2, 0, OperandOrder::any, 1'000, {}, {}, 8}), 18_ms);
}

}  // namespace
}  // namespace wan
