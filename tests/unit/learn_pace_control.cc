// SPDX-License-Identifier: BSD-3-Clause
// learn/pace_control.h and learn/learnt_link.h over a simulated link: whatever is believed of it, calls soon
// take what they take with the right belief.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/learn_simulated_link.h"

namespace wan {
namespace {

using testing::kMillisecond;
using testing::kSecond;
using testing::SimulatedLink;

constexpr BytesPerSecond kRate = 12'500'000;
constexpr Nanoseconds kLatency = 10 * kMillisecond;
constexpr Bytes kEach = 256 << 10;  // of an alltoall of 64 KiB among 4 x 4
constexpr int kSenders = 4;
/// What the link needs for a call.
constexpr Nanoseconds kNeeded = kEach * kSenders * kSecond / kRate + kLatency;

double ratio(Nanoseconds time, Nanoseconds needed = kNeeded) {
  return static_cast<double>(time) / static_cast<double>(needed);
}

/// By several processes, in ascending order.
std::vector<double> measured_by(SimulatedLink& link, int processes) {
  std::vector<double> rates;
  for (int i = 0; i < processes; ++i)
    if (const BytesPerSecond rate = link.learnt(i).findings().measured; rate > 0)
      rates.push_back(static_cast<double>(rate));
  std::ranges::sort(rates);
  return rates;
}

/// Their median; 0: nobody knows.
double measured(SimulatedLink& link, int processes) {
  const std::vector<double> rates = measured_by(link, processes);
  return rates.empty() ? 0 : rates[(rates.size() - 1) / 2];
}

TEST(PaceControl, ARightBeliefCostsNothing) {
  SimulatedLink link({}, kSenders, kRate, kLatency);
  for (int i = 0; i < 20; ++i) EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.05) << i;
}

TEST(PaceControl, ATenthOfTheRateIsMadeUpForWithinAFewHundredMilliseconds) {
  SimulatedLink link({}, kSenders, kRate / 10, kLatency);
  EXPECT_LT(link.call(kEach, kSenders), kNeeded + 200 * kMillisecond);
  link.calls(3, kEach, kSenders);
  for (int i = 0; i < 20; ++i) EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1) << i;
}

TEST(PaceControl, SoIsAHundredth) {
  SimulatedLink link({}, kSenders, kRate / 100, kLatency);
  EXPECT_LT(link.call(kEach, kSenders), kNeeded + 400 * kMillisecond);
  link.calls(5, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
}

TEST(PaceControl, TenTimesTheRateIsFoundToBeTooMuch) {
  SimulatedLink link({}, kSenders, 10 * kRate, kLatency);
  link.calls(10, kEach, kSenders);
  // The first process always comes first, so it gets more than its share; the last gets that.
  const std::vector<double> rates = measured_by(link, kSenders);
  ASSERT_EQ(rates.size(), 4u);
  EXPECT_NEAR(rates[0], 1.0 * kRate, 0.2 * kRate);
  EXPECT_LT(rates[1], 1.5 * kRate);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
}

TEST(PaceControl, NothingBelievedIsMeasured) {
  SimulatedLink link({}, 1, std::nullopt, kLatency);
  link.calls(4, 1 << 20, 1);
  EXPECT_NEAR(measured(link, 1), 1.0 * kRate, 0.15 * kRate);
}

TEST(PaceControl, LatenciesOfATenthAndTenfoldAreCorrectedAtOnce) {
  for (const Nanoseconds believed : {kLatency / 10, kLatency * 10}) {
    SimulatedLink link({}, kSenders, kRate, believed);
    link.calls(2, kEach, kSenders);
    EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
    EXPECT_NEAR(static_cast<double>(link.learnt(0).findings().round_trip), 2.0 * kLatency, 0.1 * kLatency);
  }
}

TEST(PaceControl, ARateThatDropsTenfoldIsFoundAndItsReturnToo) {
  SimulatedLink link({}, kSenders, kRate, kLatency);
  link.calls(5, kEach, kSenders);
  link.change({kRate / 10, kLatency});
  const Nanoseconds needed = kEach * kSenders * kSecond / (kRate / 10) + kLatency;
  link.calls(3, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders), needed), 1.1);
  EXPECT_NEAR(measured(link, kSenders), 0.1 * kRate, 0.02 * kRate);
  link.change({});
  EXPECT_LT(link.call(kEach, kSenders), kNeeded + 400 * kMillisecond);
  link.calls(5, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
  link.calls(10, kEach, kSenders);
  EXPECT_NEAR(measured(link, kSenders), 1.0 * kRate, 0.2 * kRate);
}

TEST(PaceControl, ALatencyThatTriplesIsFoundAndItsReturnToo) {
  SimulatedLink link({}, kSenders, kRate, kLatency);
  link.calls(5, kEach, kSenders);
  link.change({kRate, 3 * kLatency});
  for (int i = 0; i < 12; ++i) link.call(kEach, kSenders), link.idle(100 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(link.learnt(0).findings().round_trip), 6.0 * kLatency, 0.6 * kLatency);
}

TEST(PaceControl, OneSenderAndManyInTurnEachGetTheWholeLink) {
  SimulatedLink link({}, kSenders, kRate / 10, kLatency);
  for (int i = 0; i < 10; ++i) link.call(kEach, kSenders), link.call(1 << 20, 1);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
  EXPECT_LT(ratio(link.call(1 << 20, 1), (1 << 20) * kSecond / kRate + kLatency), 1.1);
}

TEST(PaceControl, OtherTrafficTakesItsPartAndGivesItBack) {
  SimulatedLink link({}, kSenders, kRate, kLatency);
  link.set_other_traffic(kRate / 2);
  link.calls(10, kEach, kSenders);
  link.set_other_traffic(0);
  link.calls(4, kEach, kSenders);
  EXPECT_LT(ratio(link.call(kEach, kSenders)), 1.1);
}

TEST(PaceControl, AShortLinkIsHeldToItsRateThoughSegmentsTakeLongerThanItsRoundTrip) {
  const Nanoseconds needed = kEach * kSenders * kSecond / kRate + kMillisecond;
  SimulatedLink link({kRate, kMillisecond}, kSenders, kRate, kMillisecond);
  for (int i = 0; i < 20; ++i) EXPECT_LT(ratio(link.call(kEach, kSenders), needed), 1.1) << i;
}

TEST(LinkEstimate, ALinkThatIsNeverFilledGivesABoundOnly) {
  SimulatedLink link({}, 1, kRate, kLatency);
  for (int i = 0; i < 50; ++i) link.call(32 << 10, 1), link.idle(30 * kMillisecond);
  const Findings found = link.learnt(0).findings();
  EXPECT_EQ(found.measured, 0);
  EXPECT_GT(found.demonstrated, 0);
  EXPECT_LT(found.demonstrated, kRate);
}

TEST(LinkEstimate, AHostThatCannotSendFasterDoesNotMakeTheLinkSlow) {
  SimulatedLink link({}, 1, kRate, kLatency);
  link.set_host_limit(kRate / 5);
  link.calls(10, 1 << 20, 1);
  const Findings found = link.learnt(0).findings();
  EXPECT_EQ(found.measured, 0);
  EXPECT_NEAR(static_cast<double>(found.demonstrated), 0.2 * kRate, 0.05 * kRate);
}

}  // namespace
}  // namespace wan
