// SPDX-License-Identifier: BSD-3-Clause
// algo/trees/tree_load.h: what each collective puts on the edges of a site's tree.
#include <gtest/gtest.h>

#include <limits>

#include "algo/choice/choice.h"
#include "algo/trees/tree_load.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Way = TreeLoad::Way;
using Content = TreeLoad::Content;

TreeLoad load_on(const std::string& words, Collective collective, Count block, Bytes unit_bytes = 1) {
  Call call;
  call.collective = collective;
  call.block = block;
  call.unit_bytes = unit_bytes;
  if (traits(collective).vector)
    call.receive_counts.assign(static_cast<std::size_t>(topology_of(words).layout.size()), block);
  const Topology topology = topology_of(words);
  return load_of(topology, 0, call, choose(topology, {}, call).inside_sites);
}

TEST(TreeLoad, GoesTheWayOfTheCollective) {
  EXPECT_EQ(load_on("a a b b", Collective::bcast, 8).way, Way::down);
  EXPECT_EQ(load_on("a a b b", Collective::allgather, 8).way, Way::down);
  EXPECT_EQ(load_on("a a b b", Collective::reduce, 8).way, Way::up);
  EXPECT_EQ(load_on("a a b b", Collective::reduce_scatter, 8).way, Way::up);
  EXPECT_EQ(load_on("a a b b", Collective::allreduce, 8).way, Way::both);
  EXPECT_EQ(load_on("a a b b", Collective::barrier, 0).way, Way::both);
}

TEST(TreeLoad, IsAVectorASumOrBlocks) {
  EXPECT_EQ(load_on("a a b b", Collective::bcast, 8).content, Content::vector);
  EXPECT_EQ(load_on("a a b b", Collective::scan, 8).content, Content::sum);
  EXPECT_EQ(load_on("a a b b", Collective::gather, 8).content, Content::blocks);
  EXPECT_EQ(load_on("a a b b", Collective::bcast, 8).bytes, 8);
  EXPECT_EQ(load_on("a a b b", Collective::allreduce, 8, 4).bytes, 32);
  EXPECT_EQ(load_on("a a b b", Collective::allgatherv, 8).bytes, 32);
  EXPECT_EQ(load_on("a a b b", Collective::alltoall, 8).bytes, 32);
  EXPECT_EQ(load_on("a a b b", Collective::alltoallv, 8).bytes, load_of_survey(4).bytes);
}

// Of what comes from two other sites at 12.5 MB/s each a piece comes every 0.40 ms.
TEST(TreeLoad, OfALongVectorComesInPieces) {
  const TreeLoad load = load_on("a b c", Collective::bcast, 100'000);
  EXPECT_EQ(load.piece(), 10'119);
  EXPECT_EQ(load.pieces(), 10);
  EXPECT_EQ(load.period_ns, 404'760);
  EXPECT_EQ(load_on("a b c", Collective::bcast, 8).pieces(), 1);
  EXPECT_EQ(load_on("a a", Collective::bcast, 100'000).period_ns, 0);
}

TEST(TreeLoad, CountsRatesThatTogetherAreMoreThanANumberHolds) {
  const Layout layout = layout_of("a a b c");
  const Topology topology{layout, Network(3, Link{1'000'000, std::numeric_limits<BytesPerSecond>::max(), 0})};
  Call call;
  call.collective = Collective::bcast;
  call.block = 1'000'000;
  EXPECT_EQ(load_of(topology, 0, call, choose(topology, {}, call).inside_sites).period_ns, 1);
}

TEST(TreeLoad, HasNoLongerLengthsThanCanBeComputedWith) {
  EXPECT_EQ(load_on("a a b", Collective::alltoall, Count{1} << 60).bytes, TreeLoad::kMost);
  EXPECT_EQ(load_on("a a b", Collective::allreduce, Count{1} << 40, 1 << 20).bytes, TreeLoad::kMost);
}

}  // namespace
}  // namespace wan
