// SPDX-License-Identifier: BSD-3-Clause
// bench/collectives/cell_call.h: cells on the whole world and between its halves, or its even and odd ranks.
#include <gtest/gtest.h>

#include "bench/collectives/cell_call.h"

namespace wan::bench {
namespace {

using Ranks = std::vector<Rank>;
using Counts = std::vector<Count>;

Cell cell(Collective collective, Bytes bytes, Rank root = 0) {
  return {collective, Form::blocking, bytes, root};
}

TEST(CellCall, OfTheWholeWorldHasAllRanks) {
  const auto [call, ranks] = call_of(cell(Collective::reduce, 16, 2), 4);
  EXPECT_EQ(ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_EQ(call.root, 2);
  EXPECT_EQ(call.block, 2);
  EXPECT_EQ(call.unit_bytes, 8);
  EXPECT_EQ(call.split, 0);
  EXPECT_EQ(call_of(cell(Collective::allreduce, 7), 4).call.unit_bytes, 1);
  EXPECT_EQ(call_of(cell(Collective::gatherv, 3), 3).call.counts, (Counts{3, 3, 3}));
  EXPECT_EQ(call_of(cell(Collective::gatherv, 3), 3).call.block, 0) << "is planned for as by MPI";
}

TEST(CellCall, EveryNthRankMayHaveAllBlocks) {
  EXPECT_EQ(call_of(cell(Collective::gatherv, 3), 5, {Grouping::none, 2}).call.counts,
            (Counts{6, 0, 6, 0, 6}));
  EXPECT_EQ(call_of(cell(Collective::reduce_scatter, 16), 3, {Grouping::none, 3}).call.counts,
            (Counts{6, 0, 0}));
  EXPECT_EQ(call_of(cell(Collective::alltoallw, 1), 3, {Grouping::none, 2}).call.counts,
            (Counts{2, 0, 2, 0, 0, 0, 2, 0, 2}));
  EXPECT_EQ(call_of(cell(Collective::gather, 3), 5, {Grouping::none, 2}).call.block, 3)
      << "blocks that have one length";
}

TEST(CellCall, HalvesAreTheLowerAndTheHigherRanks) {
  const auto [call, ranks] = call_of(cell(Collective::allgather, 5), 4, Grouping::halves);
  EXPECT_EQ(ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_EQ(call.split, 2);
  EXPECT_EQ(call.block_between(0, 2), 5);
  EXPECT_EQ(call.block_between(3, 1), 5);
  EXPECT_EQ(call.block_between(0, 1), 0);
}

TEST(CellCall, ParityHasEvenRanksFirst) {
  EXPECT_EQ(call_of(cell(Collective::barrier, 0), 6, Grouping::parity).ranks, (Ranks{0, 2, 4, 1, 3, 5}));
}

TEST(CellCall, ARootIsOneOfTheFirstGroupAndMeetsTheOther) {
  const auto [gather, ranks] = call_of(cell(Collective::gather, 3, 1), 6, Grouping::parity);
  EXPECT_EQ(ranks, (Ranks{2, 1, 3, 5}));
  EXPECT_EQ(gather.size, 4);
  EXPECT_EQ(gather.root, 0);
  EXPECT_EQ(gather.split, 1);
  EXPECT_EQ(call_of(cell(Collective::bcast, 3, 1), 6, Grouping::parity).call.split, 0);
  EXPECT_EQ(call_of(cell(Collective::scatterv, 3, 1), 6, Grouping::parity).call.counts, (Counts{0, 3, 3, 3}));
}

TEST(CellCall, BetweenGroupsNothingIsForTheOwn) {
  EXPECT_EQ(call_of(cell(Collective::alltoallv, 3), 4, Grouping::halves).call.counts,
            (Counts{0, 0, 3, 3, 0, 0, 3, 3, 3, 3, 0, 0, 3, 3, 0, 0}));
  EXPECT_EQ(call_of(cell(Collective::reduce_scatter_block, 16), 4, Grouping::halves).call.block_between(0, 3),
            2);
}

TEST(CellCall, ScansKnowNoGroups) {
  EXPECT_FALSE(is_defined(Collective::scan, Grouping::halves));
  EXPECT_FALSE(is_defined(Collective::exscan, Grouping::parity));
  EXPECT_TRUE(is_defined(Collective::scan, Grouping::none));
  EXPECT_TRUE(is_defined(Collective::reduce, Grouping::halves));
}

TEST(CellCall, ADistributionThatIsNoneIsNamed) {
  EXPECT_EQ(parse_distribution("parity", 1)->grouping, Grouping::parity);
  EXPECT_EQ(parse_distribution("none", 4)->concentration, 4);
  EXPECT_EQ(parse_distribution("halfs", 1).error().value, "halfs");
  EXPECT_EQ(parse_distribution("halves", 2).error().value, "2");
  EXPECT_EQ(name(Grouping::halves), "halves");
}

}  // namespace
}  // namespace wan::bench
