// SPDX-License-Identifier: BSD-3-Clause
// multicast/shape.h: columns and segments by the model.
#include "multicast/shape.h"

#include <gtest/gtest.h>

namespace wan::multicast {
namespace {

int columns(Bytes bytes, const Ground& ground) {
  return kColumns[quickest_shape(bytes, ground).columns];
}

TEST(Shape, HasFewColumnsForLongOnesAndManyForShortOnes) {
  const Ground site{.processes = 256};
  EXPECT_EQ(columns(8, site), 4);
  EXPECT_EQ(columns(4 << 20, site), 2);
}

TEST(Shape, IsFlatForAFewNeighbors) {
  // One sends to three others before the first of them could pass it on.
  EXPECT_GE(columns(8, {.processes = 4}), 4);
  EXPECT_EQ(columns(8, {.processes = 10}), 16);
}

TEST(Shape, HasLongerSegmentsWhereMoreIsSent) {
  const Ground site{.processes = 64};
  Bytes last = 0;
  for (const Bytes bytes : {64 << 10, 256 << 10, 1 << 20, 64 << 20}) {
    const Bytes segment = quickest_shape(bytes, site).segment;
    EXPECT_GE(segment, last) << bytes;
    EXPECT_LT(segment, bytes);
    last = segment;
  }
  EXPECT_EQ(last, 60 << 10);
}

TEST(Shape, HasShortSegmentsOverASlowLink) {
  // The link is what takes long, and what the site does with the last segment comes on top of it.
  EXPECT_LT(quickest_shape(64 << 10, {.processes = 64, .wide_rate = 12'500'000}).segment,
            quickest_shape(64 << 10, {.processes = 64}).segment);
}

TEST(Shape, KeepsASegmentThatIsGiven) {
  EXPECT_EQ(quickest_shape(1 << 20, {.processes = 64}, 100).segment, 100);
}

TEST(Shape, IsThereForOneProcessAndForNoBytes) {
  EXPECT_GT(quickest_shape(0, {}).segment, 0);
}

}  // namespace
}  // namespace wan::multicast
