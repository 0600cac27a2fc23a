// SPDX-License-Identifier: BSD-3-Clause
// lower_bound: the table of the blueprint's section 6 on equal links, and hand-computed cases where links and
// access links differ. Deterministic; no threads.
#include <gtest/gtest.h>

#include "cost/bounds.h"
#include "cost_network.h"

namespace wan {
namespace {

constexpr auto kAny = OperandOrder::any;

std::vector<Bytes> equal_counts(std::size_t number, Bytes bytes) {
  return std::vector<Bytes>(number, bytes);
}

// Four sites of two ranks, 10 ms, 1 MB/s: a byte of the wide area costs a microsecond.
class EqualLinks : public testing::Test {
 protected:
  Nanoseconds bound(const Demand& demand) const { return lower_bound(network_, demand); }
  Network network_ = Mesh(4, 10_ms, 1_MBps).network();
  Layout layout_ = layout("aabbccdd");
};

TEST_F(EqualLinks, Barrier) {
  EXPECT_EQ(bound(Demand::barrier(layout_)), 10_ms);
}

TEST_F(EqualLinks, ShortMessagesTakeLatencyPlusBytesOverRate) {
  EXPECT_EQ(bound(Demand::bcast(layout_, 0, 1'000)), 11_ms);
  EXPECT_EQ(bound(Demand::reduce(layout_, 7, kAny, 1'000)), 11_ms);
  EXPECT_EQ(bound(Demand::allreduce(layout_, kAny, 1'000)), 11_ms);
  EXPECT_EQ(bound(Demand::scan(layout_, kAny, 1'000)), 11_ms);
}

TEST_F(EqualLinks, PersonalMessagesTakeWhatAPairOfSitesExchanges) {
  EXPECT_EQ(bound(Demand::gather(layout_, 0, equal_counts(8, 1'000))), 12_ms);
  EXPECT_EQ(bound(Demand::scatter(layout_, 0, equal_counts(8, 1'000))), 12_ms);
  EXPECT_EQ(bound(Demand::allgather(layout_, equal_counts(8, 1'000))), 12_ms);
  EXPECT_EQ(bound(Demand::alltoall(layout_, equal_counts(64, 1'000))), 14_ms);
  EXPECT_EQ(bound(Demand::reduce_scatter(layout_, kAny, equal_counts(8, 1'000))), 12_ms);
}

TEST_F(EqualLinks, LongPersonalMessagesFindNoFreeRelay) {
  EXPECT_EQ(bound(Demand::gather(layout_, 0, equal_counts(8, 1'000'000))), 2'010_ms);
  EXPECT_EQ(bound(Demand::scatter(layout_, 0, equal_counts(8, 1'000'000))), 2'010_ms);
  EXPECT_EQ(bound(Demand::allgather(layout_, equal_counts(8, 1'000'000))), 2'010_ms);
  EXPECT_EQ(bound(Demand::alltoall(layout_, equal_counts(64, 1'000'000))), 4'010_ms);
  EXPECT_EQ(bound(Demand::reduce_scatter(layout_, kAny, equal_counts(8, 1'000'000))), 2'010_ms);
}

TEST_F(EqualLinks, ALongBcastSpreadsThroughTheOtherSites) {
  // (2C - 3) L / (C - 1) + m / (B (C - 1)) with C = 4, m = 3 MB
  EXPECT_EQ(bound(Demand::bcast(layout_, 0, 3'000'000)), 50_ms / 3 + 1'000_ms);
  EXPECT_EQ(bound(Demand::reduce(layout_, 0, kAny, 3'000'000)), 50_ms / 3 + 1'000_ms);
}

TEST_F(EqualLinks, ALongAllreduceIsBoundByTheVolumeOfBothPhases) {
  const Nanoseconds exact = 10_ms + 1'500_ms;  // L + 2m / (C B), m = 3 MB
  const Nanoseconds found = bound(Demand::allreduce(layout_, kAny, 3'000'000));
  EXPECT_LE(found, exact);
  EXPECT_GE(found, exact - 1);
}

TEST_F(EqualLinks, NothingToMoveTakesNoTime) {
  EXPECT_EQ(bound(Demand::bcast(layout_, 0, 0)), 0);
  EXPECT_EQ(bound(Demand::allreduce(layout_, kAny, 0)), 0);
}

TEST(Bounds, OneSiteTakesNoTime) {
  const Network network = Mesh(1, 10_ms, 1_MBps).network();
  EXPECT_EQ(lower_bound(network, Demand::barrier(layout("aaa"))), 0);
  EXPECT_EQ(lower_bound(network, Demand::allreduce(layout("aaa"), kAny, 1'000)), 0);
}

// Sites a, b, c; a - c is far, and nearer by b.
class UnequalLinks : public testing::Test {
 protected:
  UnequalLinks() : mesh_(3, 10_ms, 1_MBps) {
    mesh_.link(0, 2).latency_ns = 90_ms;
    mesh_.link(2, 0).latency_ns = 25_ms;
    mesh_.link(1, 2).latency_ns = 60_ms;
  }
  Nanoseconds bound(const Demand& demand) const { return lower_bound(mesh_.network(), demand); }
  Mesh mesh_;
  Layout layout_ = layout("aabc");
};

TEST_F(UnequalLinks, BarrierWaitsForTheFarthestPairByItsBestPath) {
  EXPECT_EQ(bound(Demand::barrier(layout_)), 70_ms);
}

TEST_F(UnequalLinks, BcastReachesTheFarthestSite) {
  EXPECT_EQ(bound(Demand::bcast(layout_, 0, 1'000)), 71_ms);
  EXPECT_EQ(bound(Demand::bcast(layout_, 3, 1'000)), 21_ms);  // c -> b -> a is 20 ms, c -> a 25
}

TEST_F(UnequalLinks, ReduceComesFromTheFarthestSite) {
  EXPECT_EQ(bound(Demand::reduce(layout_, 3, kAny, 1'000)), 71_ms);
  EXPECT_EQ(bound(Demand::reduce(layout_, 0, kAny, 1'000)), 21_ms);
}

TEST_F(UnequalLinks, ScanCountsOnlyTheWayUp) {
  EXPECT_EQ(bound(Demand::scan(layout_, kAny, 1'000)), 71_ms);
  Mesh slow_return(2, 10_ms, 1_MBps);
  slow_return.link(1, 0).latency_ns = 300_ms;
  EXPECT_EQ(lower_bound(slow_return.network(), Demand::scan(layout("aabb"), kAny, 1'000)), 11_ms);
  EXPECT_EQ(lower_bound(slow_return.network(), Demand::scan(layout("abab"), kAny, 1'000)), 301_ms);
}

TEST_F(UnequalLinks, GatherIsBoundByTheRootsDownlink) {
  mesh_.downlinks[1] = 500'000;
  // 2 x 10,000 from a and 10,000 from c into b at 0.5 MB/s; the nearest link is 10 ms.
  EXPECT_EQ(bound(Demand::gather(layout_, 2, equal_counts(4, 10'000))), 70_ms);
}

TEST_F(UnequalLinks, ScatterIsBoundByTheRootsUplink) {
  mesh_.uplinks[2] = 500'000;
  EXPECT_EQ(bound(Demand::scatter(layout_, 3, equal_counts(4, 10'000))), 70_ms);
}

TEST_F(UnequalLinks, ScatterIsBoundByItsFarthestSiteWhereOthersHaveLittle) {
  const std::vector<Bytes> counts{0, 0, 10, 2'000};
  EXPECT_EQ(bound(Demand::scatter(layout_, 0, counts)), 72_ms);
}

TEST(Bounds, TheFarSitesTogetherMayTakeLongerThanAll) {
  Mesh mesh(4, 50_ms, 1_MBps);
  mesh.link(0, 1).latency_ns = 10_ms;
  mesh.uplinks[0] = 1_MBps;
  const std::vector<Bytes> counts{0, 10, 10'000, 10'000};
  EXPECT_EQ(lower_bound(mesh.network(), Demand::scatter(layout("abcd"), 0, counts)), 70_ms);
}

TEST_F(UnequalLinks, AnAccessLinkHoldsUpAllThatAlltoallSends) {
  mesh_.uplinks[0] = 100'000;
  // a's two ranks owe 2 x 1,000 each to b and c: 4,000 bytes at 0.1 MB/s, the first by the 10 ms link.
  EXPECT_EQ(bound(Demand::alltoall(layout("aabc"), equal_counts(16, 1'000))), 90_ms);
  EXPECT_EQ(bound(Demand::alltoall(layout("aabc"), equal_counts(16, 10'000))), 410_ms);
}

}  // namespace
}  // namespace wan
