// SPDX-License-Identifier: BSD-3-Clause
// algo/choice/shards.h: one shard where the vector is short, shares of whole elements where it is long.
#include <gtest/gtest.h>

#include "algo/choice/choice.h"
#include "algo/exchange/lanes.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

/// owner:offset+length of each shard; owner *: every site.
std::string text_of(const Shards& shards) {
  std::string text;
  for (const Shard& shard : shards)
    text += (shard.owner ? std::to_string(*shard.owner) : "*") + ":" + std::to_string(shard.offset) + "+" +
            std::to_string(shard.length) + " ";
  return text;
}

/// The root is rank 1.
Call rooted_call(Collective collective, Count block, Bytes unit_bytes) {
  Call call;
  call.collective = collective;
  call.root = 1;
  call.block = block;
  call.unit_bytes = unit_bytes;
  return call;
}

class ShardsTest : public testing::Test {
 protected:
  /// Four sites; links of 10 ms and 12.5 MB/s. The root is on site 1.
  Shards shards(const Call& call) {
    return shards_of(topology_.layout, call, choose(topology_, tuning_, call).way);
  }
  Topology topology_ = topology_of("a b c d");
  Tuning tuning_;
};

TEST_F(ShardsTest, AShortVectorIsOneShard) {
  EXPECT_EQ(text_of(shards(rooted_call(Collective::bcast, 1000, 1))), "1:0+1000 ");
  EXPECT_EQ(text_of(shards(rooted_call(Collective::reduce, 1000, 8))), "1:0+1000 ");
  EXPECT_EQ(text_of(shards(rooted_call(Collective::allreduce, 1000, 8))), "*:0+1000 ");
  EXPECT_EQ(text_of(shards(rooted_call(Collective::allreduce, 0, 8))), "*:0+0 ");
}

TEST_F(ShardsTest, ALongOneIsSharedInWholeElements) {
  for (const Count block : {100'000, 100'001, 100'002, 100'003}) {
    const Shards found = shards(rooted_call(Collective::allreduce, block, 40));
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

TEST_F(ShardsTest, OfABroadcastTheRootsShareIsTheSmallest) {
  const Shards found = shards(rooted_call(Collective::bcast, 4'000'000, 1));
  ASSERT_EQ(found.size(), 4);
  for (const Shard& shard : found) EXPECT_TRUE(shard.owner == 1 || shard.length > found[1].length);
  EXPECT_EQ(text_of(found), text_of(shards(rooted_call(Collective::reduce, 4'000'000, 1))));
}

TEST_F(ShardsTest, AReductionInRankOrderIsNotShared) {
  Call call = rooted_call(Collective::reduce, 4'000'000, 1);
  call.order = OperandOrder::rank;
  EXPECT_EQ(text_of(shards(call)), "1:0+4000000 ");
}

TEST(Streams, AreTheShardsOfAVector) {
  const auto streams = streams_of({Buffer::output, 100, 12}, Shards{{0, 0, 5}, {1, 5, 7}});
  ASSERT_EQ(streams.size(), 2);
  EXPECT_EQ(std::span<const Range>(streams[0]).front(), (Range{Buffer::output, 100, 5}));
  EXPECT_EQ(std::span<const Range>(streams[1]).front(), (Range{Buffer::output, 105, 7}));
}

}  // namespace
}  // namespace wan
