// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/blocks.h: a buffer cut into blocks, and the blocks of a subtree on their way.
#include <gtest/gtest.h>

#include "algo/exchange/blocks.h"

namespace wan {
namespace {

using Ranges = std::vector<Range>;
using Ranks = std::vector<Rank>;
using Counts = std::vector<Count>;

Range in(Count offset, Count length) {
  return {Buffer::input, offset, length};
}
Range out(Count offset, Count length) {
  return {Buffer::output, offset, length};
}

Ranges ranges(const RangeList& list) {
  const std::span<const Range> found = list;
  return {found.begin(), found.end()};
}

TEST(RangeList, JoinsWhatContinues) {
  RangeList list;
  EXPECT_TRUE(list.empty());
  list.add(in(0, 4));
  list.add(in(4, 2));
  list.add(in(7, 0));
  list.add(in(7, 1));
  list.add(out(8, 1));
  EXPECT_EQ(ranges(list), (Ranges{in(0, 6), in(7, 1), out(8, 1)}));
  EXPECT_EQ(list.length(), 8);
  RangeList more;
  more.add(out(9, 1));
  list.add(more);
  EXPECT_EQ(ranges(list), (Ranges{in(0, 6), in(7, 1), out(8, 2)}));
  EXPECT_EQ(list.length(), 9);
}

TEST(RanksBut, LeavesTheOthers) {
  EXPECT_EQ(ranks_but(5, Ranks{1, 3}), (Ranks{0, 2, 4}));
  EXPECT_EQ(ranks_but(2, Ranks{}), (Ranks{0, 1}));
  EXPECT_EQ(ranks_but(2, Ranks{0, 1}), Ranks{});
}

TEST(Blocks, OfOneLength) {
  const Blocks blocks(out(10, 12), 4, 3);
  EXPECT_EQ(blocks.size(), 3);
  EXPECT_EQ(blocks.of(2), out(18, 4));
  EXPECT_EQ(ranges(blocks.of(Ranks{0, 1})), Ranges{out(10, 8)});
  EXPECT_EQ(ranges(blocks.of(Ranks{0, 2})), (Ranges{out(10, 4), out(18, 4)}));
}

TEST(Blocks, OfDifferentLengths) {
  const Blocks blocks(in(0, 9), Counts{2, 0, 3});
  EXPECT_EQ(blocks.of(1), in(2, 0));
  EXPECT_EQ(blocks.of(2), in(2, 3));
  EXPECT_EQ(ranges(blocks.of(Ranks{0, 1, 2})), Ranges{in(0, 5)});
}

TEST(Blocks, MustFitTheirBuffer) {
  EXPECT_DEATH(Blocks(in(0, 7), 4, 2), "blocks larger than their buffer");
}

TEST(SubtreeBlocks, PutOthersIntoScratchAndTheOwnWhereItBelongs) {
  Builder b(Unit::bytes, 2, 6, {3, 0, 0});
  const SubtreeBlocks blocks(b, b.input(), {1, 2, 5}, Counts{9, 2, 3, 9, 9, 4});
  EXPECT_EQ(blocks.of(2), in(0, 3));
  EXPECT_EQ(blocks.of(1), (Range{Buffer::scratch, 0, 2}));
  EXPECT_EQ(blocks.of(5), (Range{Buffer::scratch, 2, 4}));
  EXPECT_EQ(ranges(blocks.all()), (Ranges{{Buffer::scratch, 0, 2}, in(0, 3), {Buffer::scratch, 2, 4}}));
  EXPECT_EQ(ranges(blocks.of(Ranks{1, 5})), (Ranges{{Buffer::scratch, 0, 6}}));
  EXPECT_DEATH(blocks.of(3), "a block of another subtree");
}

std::vector<Ranges> all(const std::vector<RangeList>& lists) {
  std::vector<Ranges> found;
  for (const RangeList& list : lists) found.push_back(ranges(list));
  return found;
}

/// Three streams of 5, 1 and 6 units, the last in two places.
std::vector<RangeList> three_streams() {
  std::vector<RangeList> streams(3);
  streams[0].add(in(0, 5));
  streams[1].add(in(5, 1));
  streams[2].add(in(10, 3));
  streams[2].add(in(20, 3));
  return streams;
}

TEST(InTurn, TakesSegmentsFromEachUntilAllAreTaken) {
  EXPECT_EQ(
      all(in_turn(three_streams(), {2, 100, 9}, {2, 100, 9})),
      (std::vector<Ranges>{
          {in(0, 2)}, {in(5, 1)}, {in(10, 2)}, {in(2, 2)}, {in(12, 1), in(20, 1)}, {in(4, 1)}, {in(21, 2)}}));
}

TEST(InTurn, TurnsShareALongerSegmentInsideTheSite) {
  EXPECT_EQ(all(in_turn(three_streams(), {2, 100, 9}, {5, 100, 9})),
            (std::vector<Ranges>{
                {in(0, 2), in(5, 1), in(10, 2)}, {in(2, 2), in(12, 1), in(20, 1), in(4, 1)}, {in(21, 2)}}));
}

TEST(InTurn, ShortStreamsGoTogether) {
  EXPECT_EQ(all(in_turn(three_streams(), {12, 100, 99}, {12, 100, 99})),
            (std::vector<Ranges>{{in(0, 6), in(10, 3), in(20, 3)}}));
}

TEST(InTurn, OneStreamIsNotCut) {
  EXPECT_EQ(all(in_turn(std::vector{three_streams().back()}, {2, 100, 9}, {2, 100, 9})),
            (std::vector<Ranges>{{in(10, 3), in(20, 3)}}));
}

}  // namespace
}  // namespace wan
