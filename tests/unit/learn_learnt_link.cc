// SPDX-License-Identifier: BSD-3-Clause
// learn/learnt_link.h: what a trial shows. The rest is tested with its parts.
#include <gtest/gtest.h>

#include "base/time.h"
#include "learn/learnt_link.h"
#include "tests/unit/learn_round_trip.h"

namespace wan {
namespace {

constexpr Bytes kMessage = 300'000;

BytesPerSecond shown_by(std::initializer_list<Nanoseconds> times) {
  LearntLink link(100);
  for (const Nanoseconds time : times) link.tried(kMessage, time, kRoundTrip);
  return link.findings().demonstrated;
}

TEST(LearntLink, ATrialShowsWhatTwoOfItsMessagesAttained) {
  EXPECT_EQ(shown_by({50 * kMillisecond}), 0);
  EXPECT_EQ(shown_by({120 * kMillisecond, 50 * kMillisecond, 45 * kMillisecond}), 10'000'000)
      << "without the answer's round trip";
}

TEST(LearntLink, ALinkThatIsStillSlowShowsThatItIs) {
  EXPECT_EQ(shown_by({320 * kMillisecond, 320 * kMillisecond, 320 * kMillisecond}), 1'000'000);
}

TEST(LearntLink, ARoundTripThatIsBelievedToBeTooLongMakesItTwiceAsQuickAtMost) {
  EXPECT_EQ(shown_by({21 * kMillisecond, 21 * kMillisecond}), kMessage * 1000 * 2 / 21);
  EXPECT_EQ(shown_by({2 * kMillisecond, 2 * kMillisecond}), kMessage * 1000);
  EXPECT_GT(shown_by({0, 0}), 0) << "by a clock that stands still";
}

TEST(LearntLink, OnlyALinkThatIsHeldForSlowIsTried) {
  LearntLink link(100);
  constexpr Nanoseconds kMinute = 60'000 * kMillisecond;
  EXPECT_EQ(link.due_trial(0, Slowdown::of_all, 1'000'000, kRoundTrip), 0) << "it has just become slow";
  EXPECT_EQ(link.due_trial(kMinute, Slowdown::of_all, 1'000'000, kRoundTrip), 120'000) << "six round trips";
  EXPECT_EQ(link.due_trial(9 * kMinute, Slowdown::none, 8'000'000, kRoundTrip), 0);
}

}  // namespace
}  // namespace wan
