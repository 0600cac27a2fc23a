// SPDX-License-Identifier: BSD-3-Clause
// learn/pace_control.h and learn/learnt_link.h over a simulated link: whatever is believed of it, calls soon
// take what they take with the right belief.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "learn/testimony.h"
#include "tests/unit/learn_simulated_link.h"

namespace wan {
namespace {

using testing::SimulatedLink;

constexpr BytesPerSecond kLinkRate = 12'500'000;
constexpr Nanoseconds kLatency = 10 * kMillisecond;
constexpr Bytes kEach = 256 << 10;  // of an alltoall of 64 KiB among 4 x 4
constexpr int kSenders = 4;
/// What the link needs for a call.
constexpr Nanoseconds kNeeded = kEach * kSenders * kSecond / kLinkRate + kLatency;

double ratio(Nanoseconds time, Nanoseconds needed = kNeeded) {
  return static_cast<double>(time) / static_cast<double>(needed);
}

/// The rate that the processes agree on, where a topology file states another.
double agreed(SimulatedLink& link, int processes, BytesPerSecond stated) {
  const Network file(2, {kLatency, stated, 0});
  Testimony all = testimony_of(0, std::vector<Findings>(2));
  for (int i = 0; i < processes; ++i)
    all = together(all, testimony_of(0, std::vector<Findings>{{}, link.learnt(i).findings()}));
  return static_cast<double>(corrected(file, file, all).value_or(file).link(0, 1).bandwidth_bytes_per_s);
}

TEST(PaceControl, ARightBeliefCostsNothing) {
  SimulatedLink link({}, kSenders, kLinkRate, kLatency);
  for (int i = 0; i < 20; ++i) EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.05) << i;
}

TEST(PaceControl, ATenthOfTheRateIsCorrected) {
  SimulatedLink link({}, kSenders, kLinkRate / 10, kLatency);
  link.calls(8, kEach, kSenders);
  EXPECT_NEAR(agreed(link, kSenders, kLinkRate / 10), 1.0 * kLinkRate, 0.3 * kLinkRate);
}

TEST(PaceControl, ATenthOfTheRateIsMadeUpForWithinFourCalls) {
  SimulatedLink link({}, kSenders, kLinkRate / 10, kLatency);
  EXPECT_LT(link.call(kEach, kSenders), 5 * kNeeded + kNeeded / 2);
  link.calls(3, kEach, kSenders);
  for (int i = 0; i < 20; ++i) EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1) << i;
}

TEST(PaceControl, SoIsAHundredth) {
  SimulatedLink link({}, kSenders, kLinkRate / 100, kLatency);
  EXPECT_LT(link.call(kEach, kSenders), 20 * kNeeded);
  link.calls(5, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.25);
}

TEST(PaceControl, TenTimesTheRateIsFoundToBeTooMuch) {
  SimulatedLink link({}, kSenders, 10 * kLinkRate, kLatency);
  link.calls(10, kEach, kSenders);
  EXPECT_LT(agreed(link, kSenders, 10 * kLinkRate), 2.0 * kLinkRate);  // as near as a plan needs it
  EXPECT_GT(agreed(link, kSenders, 10 * kLinkRate), 0.5 * kLinkRate);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
}

TEST(PaceControl, NothingBelievedIsMeasured) {
  SimulatedLink link({}, 1, std::nullopt, kLatency);
  link.calls(4, 2 << 20, 1);
  EXPECT_NEAR(agreed(link, 1, 10 * kLinkRate), 1.0 * kLinkRate, 0.15 * kLinkRate);
}

TEST(PaceControl, LatenciesOfATenthAndTenfoldAreCorrectedAtOnce) {
  for (const Nanoseconds believed : {kLatency / 10, kLatency * 10}) {
    SimulatedLink link({}, kSenders, kLinkRate, believed);
    link.calls(2, kEach, kSenders);
    EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
    EXPECT_NEAR(static_cast<double>(link.learnt(0).findings().round_trip), 2.0 * kLatency, 0.1 * kLatency);
  }
}

TEST(PaceControl, ARateThatDropsTenfoldIsFoundAndItsReturnToo) {
  SimulatedLink link({}, kSenders, kLinkRate, kLatency);
  link.calls(5, kEach, kSenders);
  link.change({kLinkRate / 10, kLatency});
  const Nanoseconds needed = kEach * kSenders * kSecond / (kLinkRate / 10) + kLatency;
  link.calls(3, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders), needed), 1.1);
  link.calls(4, kEach, kSenders);
  EXPECT_NEAR(agreed(link, kSenders, kLinkRate), 0.1 * kLinkRate, 0.1 * kLinkRate);
  link.change({});
  EXPECT_LT(link.call(kEach, kSenders), kNeeded + 400 * kMillisecond);
  link.calls(5, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
  link.calls(10, kEach, kSenders);
  EXPECT_NEAR(agreed(link, kSenders, kLinkRate), 1.0 * kLinkRate, 0.25 * kLinkRate);
}

TEST(PaceControl, ALatencyThatTriplesIsFoundAndItsReturnToo) {
  SimulatedLink link({}, kSenders, kLinkRate, kLatency);
  link.calls(5, kEach, kSenders);
  link.change({kLinkRate, 3 * kLatency});
  for (int i = 0; i < 12; ++i) link.call(kEach, kSenders), link.idle(100 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(link.learnt(0).findings().round_trip), 6.0 * kLatency, 0.6 * kLatency);
}

TEST(PaceControl, OneSenderAndManyInTurnEachGetTheWholeLink) {
  SimulatedLink link({}, kSenders, kLinkRate / 10, kLatency);
  for (int i = 0; i < 20; ++i) link.call(kEach, kSenders), link.call(1 << 20, 1);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
  EXPECT_LT(ratio(link.call(1 << 20, 1), (1 << 20) * kSecond / kLinkRate + kLatency), 1.1);
}

TEST(PaceControl, OtherTrafficTakesItsPartAndGivesItBack) {
  SimulatedLink link({}, kSenders, kLinkRate, kLatency);
  link.set_other_traffic(kLinkRate / 2);
  link.calls(10, kEach, kSenders);
  link.set_other_traffic(0);
  link.calls(4, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
}

TEST(PaceControl, AShortLinkIsHeldToItsRateThoughSegmentsTakeLongerThanItsRoundTrip) {
  const Nanoseconds needed = kEach * kSenders * kSecond / kLinkRate + kMillisecond;
  SimulatedLink link({kLinkRate, kMillisecond}, kSenders, kLinkRate, kMillisecond);
  for (int i = 0; i < 20; ++i) EXPECT_LT(ratio(link.call(kEach, kSenders), needed), 1.1) << i;
}

/// One process in which something keeps waiting, over a link of a rate whose queue nobody sees.
struct Held {
  const BytesPerSecond link;
  const int senders;
  LinkEstimate estimate;
  PaceControl control{100};
  Sight sight{
      .sockets = 1, .under_way = 64 << 10, .round_trip = 2 * kLatency, .least_round_trip = 2 * kLatency};

  explicit Held(BytesPerSecond rate, int count = 1) : link(rate), senders(count) {
    control.believe(kLinkRate);
  }
  void overflow() {
    sight.sent_again += 2;
    go_on(2 * kMillisecond);
  }
  /// The highest rate of the time.
  BytesPerSecond go_on(Nanoseconds time) {
    BytesPerSecond highest = 0;
    for (const Nanoseconds end = sight.at + time; sight.at < end;) {
      sight.at += 2 * kMillisecond;
      sight.delivered += std::min(control.rate(), link) / 500 / senders;
      estimate.see(sight, {true, senders});
      control.see(sight, estimate, {true, senders});
      highest = std::max(highest, control.rate());
    }
    return highest;
  }
};

TEST(PaceControl, NothingIsTriedBeforeSomethingHasBeenHeldForTwelveRoundTrips) {
  Held process(kLinkRate);
  EXPECT_EQ(process.go_on(22 * kLatency), kLinkRate);
  EXPECT_GE(process.go_on(8 * kLatency), 2 * kLinkRate);
}

TEST(PaceControl, AfterAnOverflowTheQueueDrains) {
  Held process(kLinkRate);
  process.go_on(40 * kLatency);
  process.overflow();
  EXPECT_EQ(process.go_on(2 * kLatency - 4 * kMillisecond), kLinkRate - kLinkRate / 4);
  EXPECT_EQ(process.go_on(4 * kMillisecond), kLinkRate);
}

TEST(PaceControl, LossesCountAsTheLinksWhereNothingIsTriedAndNoQueueIsLong) {
  Held process(kLinkRate);
  process.go_on(2 * kLatency);
  process.overflow();
  EXPECT_EQ(process.control.losses(), 1);
  process.sight.sent_again += 1;
  process.go_on(200 * kMillisecond);
  process.sight.sent_again += 1;
  process.go_on(2 * kMillisecond);
  EXPECT_EQ(process.control.losses(), 1) << "a loss now and then";
  process.sight.round_trip *= 3;
  process.overflow();
  EXPECT_EQ(process.control.losses(), 1) << "a long queue";
}

TEST(PaceControl, LossesOfAttemptsDoNotCountAsTheLinks) {
  Held process(kLinkRate);
  EXPECT_GT(process.go_on(40 * kLatency), kLinkRate);
  process.overflow();
  EXPECT_EQ(process.control.losses(), 0);
}

TEST(PaceControl, WhatIsRightIsTriedEveryHalfMinuteOfEachSender) {
  for (const int senders : {1, 4}) {
    Held process(kLinkRate, senders);
    process.go_on(40 * kLatency);
    for (int i = 0; i < 3; ++i) {
      process.overflow();
      EXPECT_EQ(process.go_on(30 * kSecond * senders - 10 * kMillisecond), kLinkRate);
      EXPECT_EQ(process.go_on(60 * kMillisecond), kLinkRate + kLinkRate / 8);
    }
  }
}

TEST(PaceControl, WhereMoreWasDeliveredAttemptsRestForASecondAndThenForTwiceAsLong) {
  Held process(20 * kLinkRate);
  process.go_on(kSecond / 2);
  for (const Nanoseconds rest : {kSecond, 2 * kSecond, 4 * kSecond}) {
    process.overflow();
    const BytesPerSecond highest = process.go_on(rest - 10 * kMillisecond);
    EXPECT_GT(process.go_on(4 * kLatency), highest);
    process.go_on(kSecond / 2);
  }
}

TEST(PaceControl, WhatAnEarlierBeliefBroughtSaysNothingOfTheNextOne) {
  Held process(20 * kLinkRate);
  process.go_on(kSecond / 2);
  process.control.believe(2 * kLinkRate);
  process.overflow();
  EXPECT_EQ(process.go_on(20 * kSecond), 2 * kLinkRate);
}

TEST(PaceControl, OneSegmentNowAndThenIsNoOverflow) {
  Held process(20 * kLinkRate);
  for (int i = 0; i < 20; ++i) {
    ++process.sight.sent_again;
    process.go_on(110 * kMillisecond);
  }
  EXPECT_GE(process.control.rate(), 10 * kLinkRate);
}

TEST(LinkEstimate, ALinkThatIsNeverFilledGivesABoundOnly) {
  SimulatedLink link({}, 1, kLinkRate, kLatency);
  for (int i = 0; i < 50; ++i) link.call(32 << 10, 1), link.idle(30 * kMillisecond);
  const Findings found = link.learnt(0).findings();
  EXPECT_EQ(found.full, 0);
  EXPECT_GT(found.demonstrated, 0);
  EXPECT_LT(found.demonstrated, kLinkRate);
}

TEST(LinkEstimate, AHostThatCannotSendFasterDoesNotMakeTheLinkSlow) {
  SimulatedLink link({}, 1, kLinkRate, kLatency);
  link.set_host_limit(kLinkRate / 5);
  link.calls(10, 1 << 20, 1);
  const Findings found = link.learnt(0).findings();
  EXPECT_EQ(found.full, 0);
  EXPECT_NEAR(static_cast<double>(found.demonstrated), 0.2 * kLinkRate, 0.05 * kLinkRate);
}

}  // namespace
}  // namespace wan
