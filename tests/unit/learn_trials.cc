// SPDX-License-Identifier: BSD-3-Clause
// learn/trials.h
#include <gtest/gtest.h>

#include <vector>

#include "base/time.h"
#include "learn/trials.h"
#include "tests/unit/learn_round_trip.h"

namespace wan {
namespace {

constexpr BytesPerSecond kHeld = 1'250'000;

/// When trials of a link are made that is slow from the first time to the last, asked every `step`.
std::vector<Nanoseconds> trials(Trials& of, Nanoseconds first, Nanoseconds last,
                                Nanoseconds step = 10 * kMillisecond) {
  std::vector<Nanoseconds> found;
  for (Nanoseconds now = first; now <= last; now += step)
    if (of.due(now, Slowdown::more_than_some, kHeld, kRoundTrip) > 0) found.push_back(now);
  return found;
}

TEST(Trials, OfALinkThatIsAsStatedThereAreNone) {
  Trials of;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(of.due(i * kSecond, Slowdown::none, kHeld, kRoundTrip), 0);
}

TEST(Trials, AMessageTakesSomeRoundTripsAtTheRateThatIsBelieved) {
  Trials of;
  EXPECT_EQ(of.due(0, Slowdown::more_than_some, kHeld, kRoundTrip), 0) << "it has just been found to be slow";
  EXPECT_EQ(of.due(10 * kSecond, Slowdown::more_than_some, kHeld, kRoundTrip), 150'000);
  Trials of_small, of_large;
  of_small.due(0, Slowdown::more_than_some, 1000, kRoundTrip);
  EXPECT_EQ(of_small.due(10'000 * kSecond, Slowdown::more_than_some, 1000, kRoundTrip), 64 << 10);
  of_large.due(0, Slowdown::more_than_some, 10'000'000'000, kRoundTrip);
  EXPECT_EQ(of_large.due(10 * kSecond, Slowdown::more_than_some, 10'000'000'000, kRoundTrip), 16 << 20);
}

TEST(Trials, TheyTakeASmallPartOfTheLinkAndBecomeRarer) {
  Trials of;
  const auto found = trials(of, 0, 600 * kSecond);
  ASSERT_GE(found.size(), 8u);
  EXPECT_LE(found.front(), 3 * kSecond);
  for (std::size_t i = 1; i + 1 < found.size(); ++i) {
    const Nanoseconds before = found[i] - found[i - 1], after = found[i + 1] - found[i];
    EXPECT_GE(before, 6 * 3 * 120 * kMillisecond);
    EXPECT_GE(after, before - 10 * kMillisecond);
    EXPECT_LE(after, 60 * kSecond + 10 * kMillisecond);
  }
}

TEST(Trials, ALinkThatIsSlowNowAndThenIsNotTriedMoreOften) {
  Trials of;
  std::vector<Nanoseconds> found;
  for (int i = 0; i < 60'000; ++i)
    if (of.due(i * 10 * kMillisecond, i % 50 < 40 ? Slowdown::more_than_some : Slowdown::none, kHeld,
               kRoundTrip) > 0)
      found.push_back(i);
  EXPECT_LE(found.size(), 20u);
}

TEST(Trials, OneCommunicatorThatBelievesInTheLinkDoesNotPutThemOff) {
  Trials of;
  int found = 0;
  for (int i = 0; i < 6'000; ++i) {
    of.due(i * 10 * kMillisecond, Slowdown::none, kHeld, kRoundTrip);
    if (of.due(i * 10 * kMillisecond, Slowdown::more_than_some, kHeld, kRoundTrip) > 0) ++found;
  }
  EXPECT_GE(found, 4);
}

TEST(Trials, WhereAllAreSlowOneThatCallsFillIsTriedOnceAMinute) {
  Trials of;
  std::vector<Nanoseconds> found;
  for (Nanoseconds now = 0; now <= 600 * kSecond; now += kSecond / 2) {
    of.filled(now % kSecond == 0 ? kHeld * 3 / 4 : kHeld / 100);
    if (of.due(now, Slowdown::of_all, kHeld, kRoundTrip) > 0) found.push_back(now);
  }
  EXPECT_GE(found.size(), 8u);
  EXPECT_LE(found.size(), 10u);
}

TEST(Trials, AsSoonAsCallsFillItNoMoreTheyAreMadeAsEver) {
  Trials of;
  for (Nanoseconds now = 0; now <= 20 * kSecond; now += kSecond / 2) {
    of.filled(kHeld);
    EXPECT_EQ(of.due(now, Slowdown::of_all, kHeld, kRoundTrip), 0);
  }
  const auto found = trials(of, 20 * kSecond, 40 * kSecond);
  ASSERT_GE(found.size(), 3u);
  EXPECT_LE(found.front(), 25 * kSecond);
}

TEST(Trials, WhatFillsItHardlyDoesNotPutThemOff) {
  Trials of, of_unused;
  std::vector<Nanoseconds> found;
  for (Nanoseconds now = 0; now <= 60 * kSecond; now += 10 * kMillisecond) {
    of.filled(kHeld / 3);
    if (of.due(now, Slowdown::of_all, kHeld, kRoundTrip) > 0) found.push_back(now);
  }
  EXPECT_EQ(found, trials(of_unused, 0, 60 * kSecond));
}

TEST(Trials, OneThatPlansAvoidIsTriedThoughTheLittleThatItGetsFillsIt) {
  Trials of, of_unused;
  std::vector<Nanoseconds> found;
  for (Nanoseconds now = 0; now <= 60 * kSecond; now += 10 * kMillisecond) {
    of.filled(kHeld);
    if (of.due(now, Slowdown::more_than_some, kHeld, kRoundTrip) > 0) found.push_back(now);
  }
  EXPECT_EQ(found, trials(of_unused, 0, 60 * kSecond));
}

TEST(Trials, ATrialDoesNotPutOffTheNext) {
  Trials of, of_unused;
  std::vector<Nanoseconds> found;
  for (Nanoseconds now = 0; now <= 60 * kSecond; now += 10 * kMillisecond) {
    if (of.due(now, Slowdown::of_all, kHeld, kRoundTrip) == 0) continue;
    found.push_back(now);
    of.filled(kHeld);
    of.made();
  }
  EXPECT_EQ(found, trials(of_unused, 0, 60 * kSecond));
}

TEST(Trials, AfterALongTimeAsStatedTheyBeginAnew) {
  Trials of;
  trials(of, 0, 300 * kSecond);
  of.due(300 * kSecond, Slowdown::none, kHeld, kRoundTrip);
  const auto found = trials(of, 600 * kSecond, 610 * kSecond);
  ASSERT_FALSE(found.empty());
  EXPECT_LE(found.front(), 603 * kSecond);
}

}  // namespace
}  // namespace wan
