// SPDX-License-Identifier: BSD-3-Clause
// Demand: what each site must have of each other, counted by hand on layouts of a few ranks, one letter a
// site. Deterministic; no threads.
#include <gtest/gtest.h>

#include "cost/demand.h"
#include "cost_network.h"

namespace wan {
namespace {

constexpr PairTraffic kNone{};

std::vector<Bytes> information(const Demand& demand) {
  std::vector<Bytes> all;
  for (SiteIndex a = 0; a < demand.information.sites(); ++a) {
    for (SiteIndex b = 0; b < demand.information.sites(); ++b) {
      all.push_back(demand.information.at(a, b).value_or(-1));
    }
  }
  return all;
}

std::vector<Bytes> sent(const Demand& demand) {
  std::vector<Bytes> all;
  for (SiteIndex a = 0; a < demand.traffic.sites(); ++a) {
    for (SiteIndex b = 0; b < demand.traffic.sites(); ++b) {
      const PairTraffic& traffic = demand.traffic.at(a, b);
      EXPECT_EQ(traffic.messages, demand.information.at(a, b) ? 1 : 0);
      all.push_back(traffic.bytes);
    }
  }
  return all;
}

TEST(Demand, BarrierIsOneEmptyMessageForEachDirectedPair) {
  const Demand demand = Demand::barrier(layout("aab"));
  EXPECT_EQ(information(demand), (std::vector<Bytes>{-1, 0, 0, -1}));
  EXPECT_EQ(demand.traffic.at(0, 1), (PairTraffic{1, 0}));
  EXPECT_EQ(demand.traffic.at(1, 0), (PairTraffic{1, 0}));
  EXPECT_EQ(demand.traffic.at(0, 0), kNone);
}

TEST(Demand, OneSiteNeedsNothing) {
  EXPECT_EQ(information(Demand::barrier(layout("aa"))), (std::vector<Bytes>{-1}));
  EXPECT_EQ(information(Demand::allreduce(layout("aa"), OperandOrder::any, 8)), (std::vector<Bytes>{-1}));
}

TEST(Demand, BcastGoesFromTheRootsSiteOnceIntoEachOther) {
  EXPECT_EQ(sent(Demand::bcast(layout("aabbc"), 3, 8)), (std::vector<Bytes>{0, 0, 0, 8, 0, 8, 0, 0, 0}));
}

TEST(Demand, NoBytesNeedNoMessage) {
  EXPECT_EQ(information(Demand::bcast(layout("ab"), 0, 0)), (std::vector<Bytes>{-1, -1, -1, -1}));
  const std::vector<Bytes> counts{0, 5};
  EXPECT_EQ(information(Demand::allgather(layout("ab"), counts)), (std::vector<Bytes>{-1, -1, 5, -1}));
}

TEST(Demand, GatherAndScatterMoveASitesBlocks) {
  const std::vector<Bytes> counts{1, 2, 4, 8};
  EXPECT_EQ(sent(Demand::gather(layout("abab"), 1, counts)), (std::vector<Bytes>{0, 5, 0, 0}));
  EXPECT_EQ(sent(Demand::scatter(layout("abab"), 1, counts)), (std::vector<Bytes>{0, 0, 5, 0}));
}

TEST(Demand, AllgatherSendsASitesBlocksToEachOther) {
  const std::vector<Bytes> counts{1, 2, 4, 8};
  EXPECT_EQ(sent(Demand::allgather(layout("abac"), counts)), (std::vector<Bytes>{0, 5, 5, 2, 0, 2, 8, 8, 0}));
}

TEST(Demand, AlltoallSumsOverSendersAndReceivers) {
  const std::vector<Bytes> equal(9, 10);
  EXPECT_EQ(sent(Demand::alltoall(layout("aab"), equal)), (std::vector<Bytes>{0, 20, 20, 0}));
  const std::vector<Bytes> counts{0, 1, 2, 3, 0, 5, 6, 7, 0};  // 0->1 is 1, 0->2 is 2, 1->0 is 3, ...
  EXPECT_EQ(sent(Demand::alltoall(layout("aba"), counts)), (std::vector<Bytes>{0, 1 + 7, 3 + 5, 0}));
}

TEST(Demand, ReductionsSendASitesTotal) {
  EXPECT_EQ(sent(Demand::reduce(layout("aba"), 1, OperandOrder::any, 8)), (std::vector<Bytes>{0, 8, 0, 0}));
  EXPECT_EQ(sent(Demand::allreduce(layout("aba"), OperandOrder::any, 8)), (std::vector<Bytes>{0, 8, 8, 0}));
}

TEST(Demand, InRankOrderReductionsSendATotalForEachRun) {
  EXPECT_EQ(sent(Demand::reduce(layout("aba"), 1, OperandOrder::rank, 8)), (std::vector<Bytes>{0, 16, 0, 0}));
  const Demand demand = Demand::allreduce(layout("aabab"), OperandOrder::rank, 8);
  EXPECT_EQ(sent(demand), (std::vector<Bytes>{0, 16, 16, 0}));
  EXPECT_EQ(information(demand), (std::vector<Bytes>{-1, 8, 8, -1}));
}

TEST(Demand, InFixedOrderReductionsSendATotalForEachAlignedBlock) {
  EXPECT_EQ(sent(Demand::reduce(layout("aaabbb"), 0, OperandOrder::fixed, 8)),
            (std::vector<Bytes>{0, 0, 16, 0}));  // 3, 4-5
  EXPECT_EQ(sent(Demand::allreduce(layout("aaaabbbb"), OperandOrder::fixed, 8)),
            (std::vector<Bytes>{0, 8, 8, 0}));
  EXPECT_EQ(sent(Demand::scan(layout("aaabbb"), OperandOrder::fixed, 8)),
            (std::vector<Bytes>{0, 16, 0, 0}));  // 0-1, 2
  EXPECT_EQ(sent(Demand::reduce(layout("abbbb"), 0, {OperandOrder::fixed, 1}, 8)),
            (std::vector<Bytes>{0, 0, 8, 0}));  // of the others 0-3
}

TEST(Demand, ReduceScatterSendsTheBlocksOfTheReceiver) {
  const std::vector<Bytes> counts{1, 2, 4};
  EXPECT_EQ(sent(Demand::reduce_scatter(layout("aba"), OperandOrder::any, counts)),
            (std::vector<Bytes>{0, 2, 5, 0}));
  EXPECT_EQ(sent(Demand::reduce_scatter(layout("aba"), OperandOrder::rank, counts)),
            (std::vector<Bytes>{0, 4, 5, 0}));
}

TEST(Demand, ScanGoesUpwardsOnly) {
  EXPECT_EQ(information(Demand::scan(layout("aabb"), OperandOrder::any, 8)),
            (std::vector<Bytes>{-1, 8, -1, -1}));
}

TEST(Demand, ScanNeedsATotalForEachPrefixThatARankSees) {
  const Demand demand = Demand::scan(layout("abab"), OperandOrder::any, 8);
  EXPECT_EQ(sent(demand), (std::vector<Bytes>{0, 16, 8, 0}));  // b sees a0 and a0+a2; a sees b1
}

TEST(Demand, ScanMergesRunsThatOnlyAThirdSiteSeparates) {
  EXPECT_EQ(sent(Demand::scan(layout("acab"), OperandOrder::any, 8)),
            (std::vector<Bytes>{0, 8, 8, 8, 0, 8, 0, 0, 0}));
  EXPECT_EQ(sent(Demand::scan(layout("acab"), OperandOrder::rank, 8)),
            (std::vector<Bytes>{0, 8, 16, 8, 0, 8, 0, 0, 0}));
}

}  // namespace
}  // namespace wan
