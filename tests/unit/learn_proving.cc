// SPDX-License-Identifier: BSD-3-Clause
// learn/proving.h, learn/slowness.h
#include <gtest/gtest.h>

#include "learn/proving.h"

namespace wan {
namespace {

using Decision = Proving::Decision;
using Proposal = Proving::Proposal;

constexpr Slowness kRight{1100, 1100}, kSlow{8000, 8000}, kNone{};

TEST(Slowness, IsWhatCallsTookOverWhatTheyNeed) {
  const Slowness slowness = Slowness::of({30, 20, 60});
  EXPECT_EQ(slowness.as_stated, 1500);
  EXPECT_EQ(slowness.as_believed, 500);
  EXPECT_EQ(Slowness::of({}).as_stated, 0) << "no calls";
  EXPECT_EQ(Slowness::of({5, 0, 0}).as_stated, 0) << "calls that need nothing";
  EXPECT_GT(Slowness::of({Nanoseconds{1} << 62, 1, 1}).as_stated, 1'000'000'000);
}

TEST(Slowness, OfABeliefIsThatOfItsCallsSinceItWasLastAskedFor) {
  SpentTime time;
  time.add({10, 5, 4});
  const Spent first = time.sum();
  time.add({20, 10, 8});
  EXPECT_EQ(time.sum().since(first).took, 20);
  EXPECT_EQ(time.sum().bound_as_stated, 15);
  EXPECT_EQ(time.sum().bound_as_believed, 12);
}

TEST(Proving, WhileCallsTakeWhatTheyNeedNothingIsChanged) {
  Proving proving;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(proving.decide({900 + 3 * i, 900 + 3 * i}, Proposal::plausible), Decision::keep);
  EXPECT_EQ(proving.decide(kRight, Proposal::proved), Decision::adopt)
      << "a link that is as quick as stated again";
}

TEST(Proving, NothingIsChangedWithoutAProposalOrWithoutCalls) {
  Proving proving;
  EXPECT_EQ(proving.decide(kSlow, Proposal::none), Decision::keep);
  EXPECT_EQ(proving.decide(kNone, Proposal::plausible), Decision::keep);
  EXPECT_EQ(proving.decide(kSlow, Proposal::plausible), Decision::adopt);
}

TEST(Proving, CallsThatAreQuickerThanIsPossibleRefuteABeliefToo) {
  Proving proving;
  EXPECT_EQ(proving.decide({300, 300}, Proposal::plausible), Decision::adopt);
}

TEST(Proving, ABeliefByWhichCallsTakeLongerIsGivenUp) {
  Proving proving;
  ASSERT_EQ(proving.decide({2000, 2000}, Proposal::plausible), Decision::adopt);
  EXPECT_TRUE(proving.is_under_way());
  EXPECT_EQ(proving.decide(kNone, Proposal::plausible), Decision::keep) << "it has had no calls";
  EXPECT_EQ(proving.decide({2500, 1000}, Proposal::plausible), Decision::revert);
  EXPECT_FALSE(proving.is_under_way());
}

TEST(Proving, OneByWhichTheyTakeNoLongerIsKept) {
  Proving proving;
  ASSERT_EQ(proving.decide({2000, 2000}, Proposal::plausible), Decision::adopt);
  EXPECT_EQ(proving.decide({2050, 1600}, Proposal::none), Decision::keep);
  EXPECT_FALSE(proving.is_under_way());
  EXPECT_EQ(proving.decide({2050, 1600}, Proposal::plausible), Decision::adopt) << "the next one";
}

TEST(Proving, OneThatHasNoCallsForLongIsKept) {
  Proving proving;
  ASSERT_EQ(proving.decide(kSlow, Proposal::plausible), Decision::adopt);
  int rounds = 0;
  for (; proving.is_under_way() && rounds < 100; ++rounds)
    EXPECT_EQ(proving.decide(kNone, Proposal::plausible), Decision::keep);
  EXPECT_LE(rounds, 10);
}

TEST(Proving, AfterFailuresItWaitsEverLonger) {
  Proving proving;
  int before = 0;
  for (int failure = 0; failure < 12; ++failure) {
    int waited = 0;
    while (proving.decide(kSlow, Proposal::plausible) != Decision::adopt) ++waited;
    EXPECT_GE(waited, before);
    EXPECT_LE(waited, 256);
    before = waited;
    ASSERT_EQ(proving.decide({9500, 9500}, Proposal::none), Decision::revert);
  }
  EXPECT_GT(before, 100);
}

TEST(Proving, ASuccessEndsThat) {
  Proving proving;
  const auto next = [&](Slowness then) {
    int waited = 0;
    while (proving.decide(kSlow, Proposal::plausible) != Decision::adopt) ++waited;
    proving.decide(then, Proposal::none);
    return waited;
  };
  for (int i = 0; i < 5; ++i) next({9500, 9500});
  next(kRight);
  next({9500, 9500});
  EXPECT_LE(next(kRight), 4);
}

TEST(Proving, WhatHasJustBeenSeenWaitsForNoFurtherRound) {
  Proving proving;
  ASSERT_EQ(proving.decide(kRight, Proposal::none), Decision::keep);
  EXPECT_EQ(proving.decide({4500, 4500}, Proposal::seen), Decision::adopt);
  EXPECT_EQ(proving.decide(kRight, Proposal::none), Decision::keep);
  EXPECT_EQ(proving.decide(kRight, Proposal::seen), Decision::keep) << "calls take what they should";
}

TEST(Proving, WhileCallsChangeItWaitsForARoundOfCallsAfterTheChange) {
  Proving proving;
  ASSERT_EQ(proving.decide(kRight, Proposal::none), Decision::keep);
  EXPECT_EQ(proving.decide({4500, 4500}, Proposal::plausible), Decision::keep) << "before and after a change";
  EXPECT_TRUE(proving.is_under_way());
  EXPECT_EQ(proving.decide(kSlow, Proposal::plausible), Decision::adopt);
  EXPECT_EQ(proving.decide({7500, 2000}, Proposal::none), Decision::keep) << "better than after the change";
}

TEST(Proving, WhereCallsNeverTakeTheSameItWaitsForOneRoundOnly) {
  Proving proving;
  EXPECT_EQ(proving.decide({3000, 3000}, Proposal::none), Decision::keep);
  EXPECT_EQ(proving.decide({5000, 5000}, Proposal::plausible), Decision::keep);
  EXPECT_EQ(proving.decide({3000, 3000}, Proposal::plausible), Decision::adopt);
}

TEST(Proving, WhereNothingIsProposedAChangeIsNoneOfItsConcern) {
  Proving proving;
  ASSERT_EQ(proving.decide(kRight, Proposal::none), Decision::keep);
  EXPECT_EQ(proving.decide(kSlow, Proposal::none), Decision::keep);
  EXPECT_FALSE(proving.is_under_way());
}

TEST(Proving, WhatHasNotBeenToBlameMayBeProposedAgainAtOnce) {
  Proving proving;
  const auto fail = [&] {
    int waited = 0;
    while (proving.decide({2000, 2000}, Proposal::plausible) != Decision::adopt) ++waited;
    EXPECT_EQ(proving.decide({4000, 4000}, Proposal::none), Decision::revert);
    return waited;
  };
  for (int failure = 0; failure < 5; ++failure) fail();
  EXPECT_GE(fail(), 10);
  EXPECT_EQ(proving.decide({4100, 4100}, Proposal::plausible), Decision::adopt)
      << "calls take as long by the belief before";
}

}  // namespace
}  // namespace wan
