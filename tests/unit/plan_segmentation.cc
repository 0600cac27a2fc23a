// SPDX-License-Identifier: BSD-3-Clause
// plan/segmentation.h: where long messages are cut, and that a Builder cuts every kind of step so.
#include <gtest/gtest.h>

#include "plan/builder.h"
#include "plan/text.h"
#include "tests/unit/plan_ranges.h"

namespace wan {
namespace {

using Ranges = std::vector<Range>;
using Lengths = std::vector<Count>;

Lengths lengths(const Segmentation& segmentation, Count total) {
  Lengths found;
  for (Count offset = 0; offset < total; offset += found.back())
    found.push_back(segmentation.length_at(offset, total));
  return found;
}

TEST(Segmentation, CutsTheWindowShortAndTheRestLong) {
  EXPECT_EQ(lengths({4, 10, 20}, 45), (Lengths{4, 4, 2, 20, 15}));
  EXPECT_EQ(lengths({4, 8, 20}, 8), (Lengths{4, 4}));
  EXPECT_EQ(lengths({4, 8, 20}, 3), Lengths{3});
  EXPECT_EQ(lengths({4, 0, 20}, 21), (Lengths{20, 1}));
  EXPECT_EQ(lengths({}, 1'000'000), Lengths{1'000'000});
  EXPECT_EQ(lengths({4, 8, 20}, 0), Lengths{});
}

TEST(RangeCutter, TakesAcrossRangesAndDropsEmptyOnes) {
  const Ranges ranges{out(0, 3), out(9, 0), out(10, 4)};
  RangeCutter cutter(ranges);
  EXPECT_EQ(cutter.take(2), Ranges{out(0, 2)});
  EXPECT_EQ(cutter.take(0), Ranges{});
  EXPECT_EQ(cutter.take(3), (Ranges{out(2, 1), out(10, 2)}));
  EXPECT_EQ(cutter.take(2), Ranges{out(12, 2)});
}

TEST(RangeCutterDeath, NothingIsTakenBeyondTheEnd) {
  const Ranges ranges{out(0, 3)};
  EXPECT_DEATH(RangeCutter(ranges).take(4), "a cut beyond the end");
}

/// A relay that adds its own: each segment goes on as soon as it has been added to.
TEST(Builder, MakesAPipelineOfSegments) {
  Builder b(Unit::elements, 1, 3, {5, 0, 0}, {2, 4, 9});
  const Range sum = b.scratch(5);
  b.receive(0, sum);
  b.reduce(b.input(), sum);
  b.send(2, sum);
  EXPECT_EQ(to_text(std::move(b).finish(), 1, 3),
            "rank 1 of 3 elements input 5 output 0 scratch 5\n"
            "  0 receive scratch[0,2) from 0\n"
            "  1 receive scratch[2,4) from 0\n"
            "  2 receive scratch[4,5) from 0\n"
            "  3 reduce input[0,2) into scratch[0,2) after 0\n"
            "  4 reduce input[2,4) into scratch[2,4) after 1\n"
            "  5 reduce input[4,5) into scratch[4,5) after 2\n"
            "  6 send scratch[0,2) to 2 after 3\n"
            "  7 send scratch[2,4) to 2 after 4\n"
            "  8 send scratch[4,5) to 2 after 5\n");
}

TEST(Builder, CutsCopiesWhereTheyAreWritten) {
  Builder b(Unit::bytes, 0, 1, {6, 6, 0}, {4, 100, 9});
  b.copy(Ranges{b.input().slice(3, 3), b.input().slice(0, 3)}, Ranges{b.output()});
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 1),
            "rank 0 of 1 bytes input 6 output 6 scratch 0\n"
            "  0 copy input[3,6) input[0,1) to output[0,4)\n"
            "  1 copy input[1,3) to output[4,6)\n");
}

/// Longer to and from neighbours; what has come from others in short pieces is added and goes on piece by
/// piece.
TEST(Builder, CutsMessagesToNeighborsOtherwise) {
  Builder b(Unit::elements, 1, 4, {8, 0, 0}, {2, 100, 9});
  b.set_neighbors(std::vector<Rank>{0, 1}, {4, 100, 9});
  const Range sum = b.scratch(8), from_afar = b.scratch(4);
  b.receive(0, sum);
  b.reduce(b.input(), sum);
  b.receive(3, from_afar);
  b.reduce(from_afar, sum.slice(0, 4));
  b.send(2, sum.slice(0, 4));
  b.send(0, sum);
  EXPECT_EQ(to_text(std::move(b).finish(), 1, 4),
            "rank 1 of 4 elements input 8 output 0 scratch 12\n"
            "  0 receive scratch[0,4) from 0\n"
            "  1 receive scratch[4,8) from 0\n"
            "  2 reduce input[0,4) into scratch[0,4) after 0\n"
            "  3 reduce input[4,8) into scratch[4,8) after 1\n"
            "  4 receive scratch[8,10) from 3\n"
            "  5 receive scratch[10,12) from 3\n"
            "  6 reduce scratch[8,10) into scratch[0,2) after 2 4\n"
            "  7 reduce scratch[10,12) into scratch[2,4) after 2 5\n"
            "  8 send scratch[0,2) to 2 after 6\n"
            "  9 send scratch[2,4) to 2 after 7\n"
            "  10 send scratch[0,4) to 0 after 6 7\n"
            "  11 send scratch[4,8) to 0 after 3\n");
}

TEST(Builder, LimitsTheSendsOfAQueue) {
  Builder b(Unit::bytes, 1, 4, {1, 0, 0}, {8, 8, 8, {5, 5}});
  b.set_neighbors(std::vector<Rank>{0, 1}, {8, 8, 8, {1, 2}});
  b.send(0, b.input());
  b.send(2, b.input());
  const Program program = std::move(b).finish();
  EXPECT_EQ(program.send_limit(program.queue_of(0)), (SendLimit{1, 2}));
  EXPECT_EQ(program.send_limit(program.queue_of(1)), (SendLimit{5, 5}));
}

/// To one rank one message after the other, to several in turn.
TEST(Builder, SendsInTurn) {
  Builder b(Unit::bytes, 0, 3, {9, 0, 0}, {2, 100, 9});
  const Range in = b.input();
  b.send_in_turn(std::vector<Builder::Outgoing>{
      {1, {in.slice(0, 3)}}, {2, {in.slice(3, 2)}}, {1, {in.slice(5, 1), in.slice(7, 2)}}});
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 3),
            "rank 0 of 3 bytes input 9 output 0 scratch 0\n"
            "  0 send input[0,2) to 1\n"
            "  1 send input[3,5) to 2\n"
            "  2 send input[2,3) to 1\n"
            "  3 send input[5,6) input[7,8) to 1\n"
            "  4 send input[8,9) to 1\n");
}

TEST(BuilderDeath, NeighborsAfterTheFirstStep) {
  Builder b(Unit::bytes, 0, 2, {1, 0, 0});
  b.send(1, b.input());
  EXPECT_DEATH(b.set_neighbors(std::vector<Rank>{0, 1}, {}), "before the first step");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}).set_neighbors({}, {0, 1, 1}), "segment lengths");
}

TEST(BuilderDeath, SegmentsOfNothing) {
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {0, 1, 1}), "segment lengths");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {1, -1, 1}), "segment lengths");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {1, 1, 0}), "segment lengths");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {1, 1, 1, 0}), "sends under way");
}

}  // namespace
}  // namespace wan
