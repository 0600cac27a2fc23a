// SPDX-License-Identifier: BSD-3-Clause
// algo/choice/parts.h: one part where the vector is short, shares of whole elements where it is long.
#include <gtest/gtest.h>

#include "algo/choice/choice.h"
#include "algo/exchange/lanes.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

/// owner:offset+length of each part; owner *: every site.
std::string text_of(const Parts& parts) {
  std::string text;
  for (const Part& part : parts)
    text += (part.owner ? std::to_string(*part.owner) : "*") + ":" + std::to_string(part.offset) + "+" +
            std::to_string(part.length) + " ";
  return text;
}

Call call_of(Collective collective, Count block, Bytes unit_bytes) {
  Call call;
  call.collective = collective;
  call.root = 1;
  call.block = block;
  call.unit_bytes = unit_bytes;
  return call;
}

class PartsTest : public testing::Test {
 protected:
  /// Four sites; links of 10 ms and 12.5 MB/s. The root is on site 1.
  Parts parts(const Call& call) {
    return parts_of(topology_.layout, call, choose(topology_, tuning_, call).way);
  }
  Topology topology_ = topology_of("a b c d");
  Tuning tuning_;
};

TEST_F(PartsTest, AShortVectorIsOnePart) {
  EXPECT_EQ(text_of(parts(call_of(Collective::bcast, 1000, 1))), "1:0+1000 ");
  EXPECT_EQ(text_of(parts(call_of(Collective::reduce, 1000, 8))), "1:0+1000 ");
  EXPECT_EQ(text_of(parts(call_of(Collective::allreduce, 1000, 8))), "*:0+1000 ");
  EXPECT_EQ(text_of(parts(call_of(Collective::allreduce, 0, 8))), "*:0+0 ");
}

TEST_F(PartsTest, ALongOneIsSharedInWholeElements) {
  for (const Count block : {100'000, 100'001, 100'002, 100'003}) {
    const Parts found = parts(call_of(Collective::allreduce, block, 40));
    ASSERT_EQ(found.size(), 4);
    Count offset = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(found[i].owner, static_cast<SiteIndex>(i));
      EXPECT_EQ(found[i].offset, offset);
      EXPECT_NEAR(static_cast<double>(found[i].length), 25'000, 300);
      offset += found[i].length;
    }
    EXPECT_EQ(offset, block);
  }
}

TEST_F(PartsTest, OfABroadcastTheRootsShareIsTheSmallest) {
  const Parts found = parts(call_of(Collective::bcast, 4'000'000, 1));
  ASSERT_EQ(found.size(), 4);
  for (const Part& part : found) EXPECT_TRUE(part.owner == 1 || part.length > found[1].length);
  EXPECT_EQ(text_of(found), text_of(parts(call_of(Collective::reduce, 4'000'000, 1))));
}

TEST_F(PartsTest, AReductionInRankOrderIsNotShared) {
  Call call = call_of(Collective::reduce, 4'000'000, 1);
  call.order = OperandOrder::rank;
  EXPECT_EQ(text_of(parts(call)), "1:0+4000000 ");
}

TEST(Streams, AreThePartsOfAVector) {
  const auto streams = streams_of({Buffer::output, 100, 12}, Parts{{0, 0, 5}, {1, 5, 7}});
  ASSERT_EQ(streams.size(), 2);
  EXPECT_EQ(std::span<const Range>(streams[0]).front(), (Range{Buffer::output, 100, 5}));
  EXPECT_EQ(std::span<const Range>(streams[1]).front(), (Range{Buffer::output, 105, 7}));
}

}  // namespace
}  // namespace wan
