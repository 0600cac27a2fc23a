// SPDX-License-Identifier: BSD-3-Clause
// multicast/shape.h: columns and segments by the model.
#include "multicast/shape.h"

#include <gtest/gtest.h>

namespace wan::multicast {
namespace {

/// 0: none, but a chain.
int columns(Bytes bytes, Position hosts) {
  const Shape shape = quickest_shape(bytes, {.hosts = hosts}, {});
  return shape.children > 0 ? 0 : kColumns[shape.table];
}

TEST(Shape, IsATableForShortOnesAndAChainForLongOnes) {
  EXPECT_EQ(columns(8, 255), 4);
  EXPECT_EQ(columns(8'192, 255), 4);
  EXPECT_EQ(columns(4 << 20, 255), 0);
}

TEST(Shape, IsATableForOneNeighbor) {
  EXPECT_NE(columns(4 << 20, 1), 0);
}

TEST(Shape, HasTwoChildrenWhereAChainOfOneWouldBeLong) {
  EXPECT_EQ(quickest_shape(4 << 20, {.hosts = 15}, {}).children, 1);
  EXPECT_EQ(quickest_shape(4 << 20, {.hosts = 255}, {}).children, 2);
  EXPECT_EQ(quickest_shape(1 << 30, {.hosts = 255}, {}).children, 1) << "a whole copy less";
}

TEST(Shape, IsFlatForAFewNeighbors) {
  // One sends to nine others before the first of them has passed it on.
  EXPECT_EQ(columns(8, 3), 256);
  EXPECT_EQ(columns(8, 9), 256);
}

TEST(Shape, HasLongerSegmentsWhereMoreIsSent) {
  Bytes last = 0;
  for (const Bytes bytes : {64 << 10, 256 << 10, 1 << 20, 64 << 20}) {
    const Bytes segment = quickest_shape(bytes, {.hosts = 63}, {}).segment;
    EXPECT_GE(segment, last) << bytes;
    EXPECT_LT(segment, bytes);
    last = segment;
  }
  EXPECT_EQ(last, 60 << 10);
}

/// Of a cluster whose messages take 1 us at each end.
Ground cluster() {
  Ground ground;
  ground.machine.tcp.overheads = {1'000, 1'000};
  ground.machine.site_link = {7'000, 250'000'000, 0};
  return ground;
}

TEST(Shape, HasShortSegmentsWhereMessagesCostLittleAndChainsAreLong) {
  EXPECT_EQ(quickest_shape(512 << 10, {.hosts = 15}, cluster()).segment, 4 << 10);
  EXPECT_EQ(quickest_shape(64 << 10, {.hosts = 63}, cluster()).segment, 4 << 10);
  EXPECT_GT(quickest_shape(64 << 20, {.hosts = 15}, cluster()).segment, 16 << 10);
}

TEST(Shape, IsNotCutIntoAFewSegmentsWhereItFitsIntoOne) {
  for (Bytes bytes = 1; bytes <= 60 << 10; bytes += 509) {
    const Bytes segment = quickest_shape(bytes, {.hosts = 15}, cluster()).segment;
    EXPECT_TRUE(bytes <= segment || bytes >= 4 * segment) << bytes << " in " << segment;
  }
}

TEST(Shape, HasLongerSegmentsWhereShorterOnesGainLessThanATwentieth) {
  Ground ground = cluster();
  ground.machine.tcp.overheads = {6'200, 7'200};
  ground.machine.site_link.bandwidth_bytes_per_s = 24'000'000;
  EXPECT_EQ(quickest_shape(1 << 20, {.hosts = 15}, ground).segment, 8 << 10) << "4 KiB: 4 % less time";
}

TEST(Shape, HasShortSegmentsOverASlowLink) {
  // The link is what takes long, and what the site does with the last segment comes on top of it.
  EXPECT_LT(quickest_shape(32 << 10, {.hosts = 3}, {.wide_rate = 12'500'000}).segment,
            quickest_shape(32 << 10, {.hosts = 3}, {}).segment);
}

TEST(Shape, HasLongSegmentsInsideAHost) {
  EXPECT_EQ(quickest_shape(4 << 20, {.processes = 15}, {}).segment, 4 << 20) << "nobody waits for a part";
  EXPECT_LT(quickest_shape(4 << 20, {.processes = 63}, {}).segment, 4 << 20) << "some pass it on";
  EXPECT_LE(quickest_shape(4 << 20, {.hosts = 1, .processes = 15}, {}).segment, 60 << 10);
  EXPECT_LE(quickest_shape(4 << 20, {.processes = 15}, {.wide_rate = 1'000'000}).segment, 60 << 10);
}

TEST(Shape, KeepsASegmentThatIsGiven) {
  EXPECT_EQ(quickest_shape(1 << 20, {.hosts = 63}, {}, 100).segment, 100);
}

TEST(Shape, IsThereForNobodyAndForNoBytes) {
  EXPECT_GT(quickest_shape(0, {.hosts = 0}, {}).segment, 0);
}

}  // namespace
}  // namespace wan::multicast
