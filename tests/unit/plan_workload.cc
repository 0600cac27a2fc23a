// SPDX-License-Identifier: BSD-3-Clause
// workload_of and demand_of: every collective finds its demand, and the parts of a call that single ranks
// hold come together. Deterministic; no threads.
#include <gtest/gtest.h>

#include "cost_network.h"
#include "plan/workload.h"

namespace wan {
namespace {

PairTraffic traffic(const Workload& workload, SiteIndex from, SiteIndex to) {
  return demand_of(layout("aab"), workload).traffic.at(from, to);
}

/// The parts of a call on `ranks` ranks, sizes still open.
std::vector<Call> calls_of(std::size_t ranks, Collective collective, Rank root) {
  Call call;
  call.collective = collective;
  call.root = root;
  return std::vector<Call>(ranks, call);
}

// Layout aab, root in b, 8 bytes: what goes from a to b and from b to a.
struct Expected {
  Collective collective;
  PairTraffic up, down;
};

class EveryCollective : public testing::TestWithParam<Expected> {};

TEST_P(EveryCollective, SendsWhatItMust) {
  const Workload workload{GetParam().collective, 2, OperandOrder::any, 8, {}};
  EXPECT_EQ(traffic(workload, 0, 1), GetParam().up);
  EXPECT_EQ(traffic(workload, 1, 0), GetParam().down);
}

INSTANTIATE_TEST_SUITE_P(
    Workload, EveryCollective,
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

TEST(Workload, TheRootHoldsTheCountsOfGatherv) {
  std::vector<Call> calls = calls_of(3, Collective::gatherv, 1);
  calls[1].receive_counts = {1, 2, 3};
  EXPECT_EQ(workload_of(calls, 4).counts, (std::vector<Bytes>{4, 8, 12}));
}

TEST(Workload, TheRootHoldsTheCountsOfScatterv) {
  std::vector<Call> calls = calls_of(3, Collective::scatterv, 2);
  calls[2].send_counts = {1, 2, 3};
  EXPECT_EQ(workload_of(calls, 1).counts, (std::vector<Bytes>{1, 2, 3}));
}

TEST(Workload, EachRankHoldsItsRowOfAlltoallv) {
  std::vector<Call> calls = calls_of(2, Collective::alltoallv, 0);
  calls[0].send_counts = {1, 2};
  calls[1].send_counts = {3, 4};
  EXPECT_EQ(workload_of(calls, 1).counts, (std::vector<Bytes>{1, 2, 3, 4}));
}

TEST(Workload, BlocksAreInUnits) {
  std::vector<Call> calls = calls_of(2, Collective::scan, 0);
  for (Call& call : calls) {
    call.block = 5;
    call.order = OperandOrder::rank;
  }
  const Workload workload = workload_of(calls, 8);
  EXPECT_EQ(workload.block, 40);
  EXPECT_EQ(workload.order, OperandOrder::rank);
}

}  // namespace
}  // namespace wan
