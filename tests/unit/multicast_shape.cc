// SPDX-License-Identifier: BSD-3-Clause
// multicast/shape.h: columns and segments by the model.
#include "multicast/shape.h"

#include <gtest/gtest.h>

namespace wan::multicast {
namespace {

int columns(Bytes bytes, Position destinations) {
  return kColumns[quickest_shape(bytes, destinations, {}).table];
}

TEST(Shape, HasFewColumnsForLongOnesAndManyForShortOnes) {
  EXPECT_EQ(columns(8, 255), 4);
  EXPECT_EQ(columns(4 << 20, 255), 2);
}

TEST(Shape, IsFlatForAFewNeighbors) {
  // One sends to nine others before the first of them has passed it on.
  EXPECT_EQ(columns(8, 3), 256);
  EXPECT_EQ(columns(8, 9), 256);
}

TEST(Shape, HasLongerSegmentsWhereMoreIsSent) {
  Bytes last = 0;
  for (const Bytes bytes : {64 << 10, 256 << 10, 1 << 20, 64 << 20}) {
    const Bytes segment = quickest_shape(bytes, 63, {}).segment;
    EXPECT_GE(segment, last) << bytes;
    EXPECT_LT(segment, bytes);
    last = segment;
  }
  EXPECT_EQ(last, 60 << 10);
}

TEST(Shape, HasShortSegmentsOverASlowLink) {
  // The link is what takes long, and what the site does with the last segment comes on top of it.
  EXPECT_LT(quickest_shape(64 << 10, 63, {.wide_rate = 12'500'000}).segment,
            quickest_shape(64 << 10, 63, {}).segment);
}

TEST(Shape, KeepsASegmentThatIsGiven) {
  EXPECT_EQ(quickest_shape(1 << 20, 63, {}, 100).segment, 100);
}

TEST(Shape, IsThereForNobodyAndForNoBytes) {
  EXPECT_GT(quickest_shape(0, 0, {}).segment, 0);
}

}  // namespace
}  // namespace wan::multicast
