// SPDX-License-Identifier: BSD-3-Clause
// learn/link_estimate.h, sight by sight.
#include <gtest/gtest.h>

#include <functional>

#include "base/time.h"
#include "learn/link_estimate.h"
#include "tests/unit/learn_round_trip.h"

namespace wan {
namespace {

/// A process whose sockets are seen every two milliseconds.
struct Sockets {
  static constexpr Nanoseconds kLook = 2 * kMillisecond;
  LinkEstimate estimate;
  Sight sight{.at = kMillisecond, .sockets = 1, .round_trip = kRoundTrip, .least_round_trip = kRoundTrip};
  int senders = 1;
  bool held = false;  ///< by pacing
  Sockets() { look(0); }

  void look(Nanoseconds later = kLook) {
    sight.at += later;
    estimate.see(sight, {held, senders});
  }
  void hand_over(Bytes bytes) { sight.under_way += bytes; }
  void deliver(Bytes bytes) {
    sight.under_way -= bytes;
    sight.delivered += bytes;
  }
  /// Everything is handed over at once and delivered, from a round trip later, at `rate`.
  void burst(
      Bytes bytes, BytesPerSecond rate, std::function<void()> meanwhile = [] {}) {
    hand_over(bytes);
    for (Nanoseconds time = 0; time < kRoundTrip; time += kLook) look();
    sight.round_trip = 2 * kRoundTrip;
    while (sight.under_way > 0) {
      meanwhile();
      deliver(std::min(sight.under_way, rate * kLook / 1'000'000'000));
      look();
    }
    sight.round_trip = kRoundTrip;
    look();
  }
};

constexpr BytesPerSecond kRate = 10'000'000;
constexpr Bytes kBurst = 1 << 20;

void expect_about(double rate, std::optional<BytesPerSecond> found) {
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(*found), rate, rate / 20);
}

TEST(LinkEstimate, ThreeFullRunsGiveTheRate) {
  Sockets sockets;
  sockets.burst(kBurst, kRate);
  sockets.burst(kBurst, kRate);
  EXPECT_EQ(sockets.estimate.measured(), std::nullopt);
  sockets.burst(kBurst, kRate);
  expect_about(kRate, sockets.estimate.measured());
}

TEST(LinkEstimate, OneStallCountsForNothing) {
  Sockets sockets;
  for (const BytesPerSecond rate : {kRate, kRate / 3, kRate, kRate}) sockets.burst(kBurst, rate);
  expect_about(kRate, sockets.estimate.measured());
}

TEST(LinkEstimate, TheShareOfOneOfFourIsAQuarter) {
  Sockets sockets;
  sockets.senders = 4;
  for (int i = 0; i < 4; ++i) sockets.burst(kBurst, kRate / 4);
  expect_about(kRate, sockets.estimate.measured());
  EXPECT_LT(sockets.estimate.demonstrated(), kRate * 3 / 10);
  EXPECT_GT(sockets.estimate.demonstrated_together(), kRate * 3 / 4);
}

TEST(LinkEstimate, TheShareOfOneOfAnUnknownNumberIsABound) {
  Sockets sockets;
  sockets.senders = 0;
  for (int i = 0; i < 9; ++i) sockets.burst(kBurst, kRate / 4);
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
  EXPECT_GT(sockets.estimate.demonstrated(), kRate / 5);
  EXPECT_EQ(sockets.estimate.demonstrated_together(), 0);
}

TEST(LinkEstimate, ARunInWhichTheNumberOfSendersChangesIsABound) {
  Sockets sockets;
  for (int i = 0; i < 9; ++i) sockets.burst(kBurst, kRate, [&] { sockets.senders = 5 - sockets.senders; });
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
  EXPECT_GT(sockets.estimate.demonstrated(), kRate / 2);
}

TEST(LinkEstimate, WhatTheHostsHoldBackIsNotFull) {
  Sockets sockets;
  for (int i = 0; i < 9; ++i)
    sockets.burst(kBurst, kRate, [&] { sockets.sight.held_by_hosts += kMillisecond; });
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
  EXPECT_GT(sockets.estimate.demonstrated(), kRate / 2);
}

TEST(LinkEstimate, WhoDoesNotLookTakesNothingForAQueue) {
  Sockets sockets;
  sockets.sight.round_trip = 2 * kRoundTrip;
  for (int i = 0; i < 9; ++i) {
    sockets.hand_over(kBurst);
    sockets.look();
    sockets.deliver(kBurst);
    sockets.look(1'000 * kMillisecond);
  }
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
  EXPECT_GT(sockets.estimate.demonstrated(), 0);
}

/// So much every two milliseconds, each piece delivered a round trip later.
void trickle(Sockets& sockets, Bytes piece, int pieces) {
  const int under_way = static_cast<int>(kRoundTrip / Sockets::kLook);
  for (int i = 0; i < pieces + under_way; ++i) {
    if (i < pieces) sockets.hand_over(piece);
    if (i >= under_way) sockets.deliver(piece);
    sockets.look();
  }
  sockets.look();
}

TEST(LinkEstimate, WhatIsSentNoFasterThanTheLinkGivesIsABound) {
  Sockets sockets;
  for (int i = 0; i < 9; ++i) trickle(sockets, 10'000, 60);
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
  EXPECT_GT(sockets.estimate.demonstrated(), 4'000'000);
  EXPECT_LE(sockets.estimate.demonstrated(), 5'000'000);
}

TEST(LinkEstimate, WhatComesBetweenTheFirstAnswerAndTheLastIsABound) {
  Sockets sockets;
  for (int i = 0; i < 2; ++i) sockets.burst(300'000, kRate);
  EXPECT_NEAR(static_cast<double>(sockets.estimate.demonstrated()), kRate, kRate / 10);
}

TEST(LinkEstimate, WhatComesAtOnceIsNoBound) {
  Sockets sockets;
  for (int i = 0; i < 9; ++i) sockets.burst(300'000, 10 * kRate);
  EXPECT_LT(sockets.estimate.demonstrated(), 3 * kRate / 2);
}

TEST(LinkEstimate, LateAnswersAloneDoNotMakeItFull) {
  Sockets sockets;
  sockets.sight.round_trip = 3 * kRoundTrip;
  for (int i = 0; i < 9; ++i) trickle(sockets, 10'000, 60);
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
}

TEST(LinkEstimate, APieceOfALongRunIsFullWhereMoreIsHandedOverThanDelivered) {
  Sockets sockets;
  sockets.sight.round_trip = 2 * kRoundTrip;
  for (int i = 0; i < 400; ++i) {
    sockets.hand_over(40'000);
    if (i >= 10) sockets.deliver(20'000);
    sockets.look();
  }
  EXPECT_GE(sockets.estimate.full_runs(), 3);
  expect_about(kRate, sockets.estimate.measured());
}

TEST(LinkEstimate, WhatGetsNoMoreThanItIsPacedAtIsABound) {
  Sockets sockets;
  sockets.held = true;
  sockets.sight.round_trip = 2 * kRoundTrip;
  for (int i = 0; i < 400; ++i) {
    sockets.hand_over(10'000);
    if (i >= 20) sockets.deliver(10'000);  // others fill the queue
    sockets.look();
  }
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
}

TEST(LinkEstimate, OneCallAfterTheOtherIsMeasuredThoughTheLinkIsNeverEmpty) {
  Sockets sockets;
  sockets.hand_over(kBurst);
  for (int i = 0; i < 10; ++i) sockets.look();
  sockets.sight.round_trip = 2 * kRoundTrip;
  for (int i = 0; i < 400; ++i) {
    // The next call begins half a round trip before the last of this one is known to be delivered.
    if (sockets.sight.under_way <= 5 * 20'000 && sockets.sight.under_way > 4 * 20'000)
      sockets.hand_over(kBurst);
    sockets.deliver(std::min<Bytes>(sockets.sight.under_way, 20'000));
    sockets.look();
  }
  EXPECT_FALSE(sockets.sight.is_empty());
  expect_about(kRate, sockets.estimate.measured());
}

TEST(LinkEstimate, ADemonstrationIsForgottenOnceTheLinkIsFullAtLess) {
  Sockets sockets;
  for (int i = 0; i < 3; ++i) sockets.burst(kBurst, kRate);
  for (int i = 0; i < 2; ++i) sockets.burst(kBurst / 4, kRate / 10);
  EXPECT_GT(sockets.estimate.demonstrated(), kRate / 2);
  sockets.burst(kBurst / 4, kRate / 10);
  expect_about(kRate / 10, sockets.estimate.demonstrated());
  expect_about(kRate / 10, sockets.estimate.measured());
}

TEST(LinkEstimate, AUseThatHadToWaitFillsTheLink) {
  Sockets sockets;
  sockets.senders = 4;
  sockets.hand_over(kBurst);
  for (Nanoseconds time = 0; time < kRoundTrip; time += Sockets::kLook) sockets.look();
  sockets.sight.round_trip = 2 * kRoundTrip;
  while (sockets.sight.under_way > 0) {
    EXPECT_EQ(sockets.estimate.filled(), 0) << "it has not ended";
    sockets.deliver(std::min<Bytes>(sockets.sight.under_way, 20'000));
    sockets.look();
  }
  expect_about(4 * kRate, sockets.estimate.filled());
  sockets.look();
  EXPECT_EQ(sockets.estimate.filled(), 0) << "it has been told";
}

TEST(LinkEstimate, AUseThatDidNotHaveToWaitDoesNotFillTheLink) {
  Sockets sockets;
  const auto use = [&] {
    sockets.hand_over(kBurst);
    sockets.look(kRoundTrip);
    sockets.deliver(kBurst);
    sockets.look();
    return sockets.estimate.filled();
  };
  EXPECT_EQ(use(), 0);
  sockets.held = true;
  EXPECT_GT(use(), 0) << "pacing made it wait";
}

TEST(LinkEstimate, SightsOfOtherSocketsAreNotCompared) {
  Sockets sockets;
  for (int i = 0; i < 9; ++i) sockets.burst(kBurst, kRate, [&] { ++sockets.sight.sockets; });
  EXPECT_EQ(sockets.estimate.demonstrated(), 0);
  EXPECT_EQ(sockets.estimate.full_runs(), 0);
}

/// Something is sent over the empty link, and first answered after so long.
void begin(Sockets& sockets, Nanoseconds answer, Bytes bytes = 64 << 10) {
  sockets.look();
  sockets.hand_over(bytes);
  sockets.look();
  for (Nanoseconds time = 0; time + Sockets::kLook < answer; time += Sockets::kLook) sockets.look();
  sockets.deliver(bytes);
  sockets.look();
}

TEST(LinkEstimate, ARoundTripThatHasBecomeLongerShowsAtSeveralBeginnings) {
  Sockets sockets;
  for (int i = 0; i < 3; ++i) begin(sockets, 60 * kMillisecond);
  EXPECT_EQ(sockets.estimate.round_trip(), kRoundTrip);
  begin(sockets, 60 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(sockets.estimate.round_trip().value()), 60e6, 2e6);
}

TEST(LinkEstimate, QueuesOfOthersAtSomeBeginningsDoNotMakeItLonger) {
  Sockets sockets;
  for (int i = 0; i < 20; ++i) begin(sockets, (i % 4 == 0 ? 20 : 60) * kMillisecond);
  EXPECT_EQ(sockets.estimate.round_trip(), kRoundTrip);
}

TEST(LinkEstimate, AnAnswerThatMayHaveWaitedForMoreSaysNothing) {
  Sockets sockets;
  for (int i = 0; i < 9; ++i) begin(sockets, 60 * kMillisecond, 1'000);
  EXPECT_EQ(sockets.estimate.round_trip(), kRoundTrip);
}

TEST(LinkEstimate, ARoundTripThatReturnsIsTakenFromWhatTcpSmooths) {
  Sockets sockets;
  for (int i = 0; i < 4; ++i) sockets.sight.round_trip = 60 * kMillisecond, begin(sockets, 60 * kMillisecond);
  EXPECT_GT(sockets.estimate.round_trip(), 2 * kRoundTrip);
  sockets.sight.round_trip = 21 * kMillisecond;
  begin(sockets, kRoundTrip);
  EXPECT_EQ(sockets.estimate.round_trip(), 21 * kMillisecond);
}

TEST(LinkEstimate, TheLeastThatTcpRemembersCountsAtOnce) {
  Sockets sockets;
  sockets.sight.least_round_trip = 2 * kMillisecond;
  sockets.look();
  EXPECT_EQ(sockets.estimate.round_trip(), 2 * kMillisecond);
}

TEST(Sight, SeveralSocketsAreOneWithAllTheirBytes) {
  const Sight a{5, 1, 10, 20, 30, 0, 9, 1, 7}, b{6, 2, 1, 2, 3, 8, 4, 5, 6};
  const Sight both = together(a, b);
  EXPECT_EQ(both, (Sight{6, both.sockets, 11, 22, 33, 8, 4, 6, 7}));
  EXPECT_NE(both.sockets, together(b, a).sockets);
}

TEST(Latest, KnowsTheLatestOnly) {
  Latest<int, 3> latest;
  for (const int value : {1, 9, 7, 8}) latest.add(value);
  EXPECT_EQ(latest.least(), 7);
  EXPECT_EQ(latest.median(), 8);
}

TEST(LinkEstimate, AQueueOfTwoRoundTripsShowsTheRateOfTheLink) {
  Sockets sockets;
  for (int i = 0; i < 2; ++i) sockets.burst(kBurst, kRate);
  EXPECT_EQ(sockets.estimate.congested(), std::nullopt) << "twice is not enough";
  sockets.burst(kBurst, kRate);
  expect_about(kRate, sockets.estimate.congested());
}

TEST(LinkEstimate, WhatIsSlowWithoutAQueueIsNotTheLink) {
  Sockets sockets;
  for (int i = 0; i < 6; ++i) {
    sockets.hand_over(kBurst);
    while (sockets.sight.under_way > 0) {
      sockets.deliver(std::min<Bytes>(sockets.sight.under_way, 4096));
      sockets.look();
    }
    sockets.look();
  }
  EXPECT_EQ(sockets.estimate.congested(), std::nullopt);
}

TEST(LinkEstimate, WhatWasTakenForAQueueIsForgottenWithTheRoundTrip) {
  Sockets sockets;
  sockets.sight.round_trip = 3 * kRoundTrip;
  const auto send_steadily = [&] {
    for (int i = 0; i < 99; ++i) {
      sockets.hand_over(20'000);
      if (i >= 30) sockets.deliver(20'000);
      sockets.look();
    }
    sockets.deliver(sockets.sight.under_way);
    sockets.look();
  };
  for (int i = 0; i < 3; ++i) send_steadily();
  EXPECT_NE(sockets.estimate.congested(), std::nullopt);
  begin(sockets, 3 * kRoundTrip);
  EXPECT_GT(sockets.estimate.round_trip(), 2 * kRoundTrip);
  EXPECT_EQ(sockets.estimate.congested(), std::nullopt);
}

TEST(LinkEstimate, AShortQueueShowsNothing) {
  Sockets sockets;
  for (int i = 0; i < 6; ++i) sockets.burst(kRate / 50, kRate);
  EXPECT_EQ(sockets.estimate.congested(), std::nullopt);
}

TEST(LinkEstimate, AQueueBehindAFullBufferShowsNothing) {
  Sockets sockets;
  for (int i = 0; i < 3; ++i)
    sockets.burst(kBurst, kRate, [&] { sockets.sight.held_by_hosts += Sockets::kLook; });
  EXPECT_EQ(sockets.estimate.congested(), std::nullopt);
}

TEST(LinkEstimate, OfFiveQueuesTheFastestButOneCounts) {
  Sockets sockets;
  sockets.burst(3 * kBurst, 3 * kRate);
  sockets.burst(kBurst, kRate);
  for (int i = 0; i < 2; ++i) sockets.burst(kBurst / 4, kRate / 4);
  expect_about(kRate, sockets.estimate.congested());
  for (int i = 0; i < 5; ++i) sockets.burst(kBurst / 4, kRate / 4);
  expect_about(kRate / 4, sockets.estimate.congested());
}

}  // namespace
}  // namespace wan
