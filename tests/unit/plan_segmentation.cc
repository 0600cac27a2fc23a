// SPDX-License-Identifier: BSD-3-Clause
// plan/segmentation.h: where long messages are cut, and that a Builder cuts every kind of step so.
#include <gtest/gtest.h>

#include "plan/builder.h"
#include "plan/text.h"

namespace wan {
namespace {

using Ranges = std::vector<Range>;
using Lengths = std::vector<Count>;

Lengths lengths(const Segmentation& segmentation, Count total) {
  Lengths found;
  for (Count offset = 0; offset < total; offset += found.back()) found.push_back(segmentation.length_at(offset, total));
  return found;
}

Range out(Count offset, Count length) { return {Buffer::output, offset, length}; }

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
  b.copy(Ranges{b.input().part(3, 3), b.input().part(0, 3)}, Ranges{b.output()});
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 1),
            "rank 0 of 1 bytes input 6 output 6 scratch 0\n"
            "  0 copy input[3,6) input[0,1) to output[0,4)\n"
            "  1 copy input[1,3) to output[4,6)\n");
}

TEST(BuilderDeath, SegmentsOfNothing) {
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {0, 1, 1}), "segment lengths");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {1, -1, 1}), "segment lengths");
  EXPECT_DEATH(Builder(Unit::bytes, 0, 1, {}, {1, 1, 0}), "segment lengths");
}

}  // namespace
}  // namespace wan
