// SPDX-License-Identifier: BSD-3-Clause
// tools/time_axis.h. No threads.
#include <gtest/gtest.h>

#include "tools/time_axis.h"

namespace wan::tools {
namespace {

using Scale = TimeAxis::Piece::Scale;

TEST(TimeAxis, IsLinearWhereSomethingHappens) {
  const TimeAxis axis({{0, 500}, {300, 1'000}}, 1'000, 200);
  ASSERT_EQ(axis.pieces().size(), 1u);
  EXPECT_DOUBLE_EQ(axis.x(0), 0);
  EXPECT_DOUBLE_EQ(axis.x(250), 50);
  EXPECT_DOUBLE_EQ(axis.x(1'000), 200);
}

TEST(TimeAxis, FoldsLongGaps) {
  const TimeAxis axis({{9'900, 10'000}, {0, 100}, {200, 300}}, 10'000, 520);
  ASSERT_EQ(axis.pieces().size(), 3u);
  EXPECT_EQ(axis.pieces()[1].scale, Scale::folded);
  EXPECT_DOUBLE_EQ(axis.x(300), 300) << "the short gap is not folded";
  EXPECT_DOUBLE_EQ(axis.x(9'900), 420);
  EXPECT_DOUBLE_EQ(axis.x(5'100), 360) << "a fold keeps the order of time";
  EXPECT_DOUBLE_EQ(axis.x(10'000), 520);
}

TEST(TimeAxis, LongerGapsGetMore) {
  const TimeAxis axis({{0, 10}, {1'010, 1'020}, {10'020, 10'030}}, 10'030, 1'000);
  ASSERT_EQ(axis.pieces().size(), 5u);
  const auto width = [&](std::size_t piece) { return axis.pieces()[piece].to - axis.pieces()[piece].from; };
  EXPECT_LT(width(1), width(3));
  EXPECT_DOUBLE_EQ(axis.x(10'030), 1'000);
}

TEST(TimeAxis, FoldsLeaveRoomForWhatHappens) {
  std::vector<Interval> busy;
  for (Nanoseconds i = 0; i <= 10; ++i) busy.push_back({i * 1'000, i * 1'000 + 1});
  const TimeAxis axis(busy, 10'001, 100);
  double folded = 0;
  for (const auto& piece : axis.pieces()) folded += piece.scale == Scale::folded ? piece.to - piece.from : 0;
  EXPECT_NEAR(folded, 60, 1e-9);
}

TEST(TimeAxis, OfManyAlikeNoneIsFolded) {
  std::vector<Interval> busy{{0, 1}};
  for (Nanoseconds i = 10; i <= 40; ++i) busy.push_back({i * 1'000, i * 1'000 + 1});
  const TimeAxis axis(busy, 40'001, 1'000);
  ASSERT_EQ(axis.pieces().size(), 3u);
  EXPECT_EQ(axis.pieces()[1].time.end, 10'000);
}

TEST(TimeAxis, NothingHappensAtAll) {
  const TimeAxis axis({}, 1'000, 100);
  EXPECT_DOUBLE_EQ(axis.x(1'000), 100);
}

TEST(TimeAxis, TicksAreRoundAndApart) {
  const TimeAxis axis({{0, 1'000'000}}, 1'000'000, 1'000);
  const auto ticks = axis.ticks(90);
  EXPECT_EQ(ticks.step, 100'000);
  EXPECT_EQ(ticks.times.size(), 11u);
  EXPECT_EQ(axis.ticks(101).step, 200'000);
}

TEST(TimeAxis, EveryStretchHasATick) {
  const TimeAxis axis({{0, 400}, {10'010, 10'090}}, 10'090, 1'000);
  const auto ticks = axis.ticks(100);
  EXPECT_EQ(ticks.times, (std::vector<Nanoseconds>{0, 100, 200, 300, 400, 10'010}));
}

}  // namespace
}  // namespace wan::tools
