// SPDX-License-Identifier: BSD-3-Clause
// run/pacer.h: what goes at once, what waits and how long.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/time.h"
#include "run/pacer.h"

namespace wan {
namespace {

constexpr Bytes kMiB = 1 << 20;

/// Two ranks at each of three sites; 10 ms, 100 MB/s: 2 MB are on their way while an answer is awaited.
Topology topology(std::optional<BytesPerSecond> uplink = {}) {
  std::vector<Path> paths;
  for (const char* site : {"a", "a", "b", "b", "c", "c"})
    paths.push_back({site, std::string(site) + "1", "0"});
  const Link link{10 * kMillisecond, 100'000'000, 0};
  return {Layout(paths), Network(3, std::vector<Link>(9, link), {uplink, std::nullopt, std::nullopt},
                                 {std::nullopt, std::nullopt, std::nullopt})};
}

/// How much goes to `peer` at `now`, in messages of 64 KiB.
Bytes admitted(Pacer& pacer, Nanoseconds now, Rank peer, int senders) {
  constexpr Bytes kMessage = 64 << 10;
  Bytes gone = 0;
  while (gone < 100 * kMiB && pacer.ask(now, peer, kMessage, senders) <= now) gone += kMessage;
  return gone;
}

TEST(Pacer, LetsAsMuchGoAtOnceAsTheLinkHoldsThenAtItsRate) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  const Bytes first = admitted(pacer, kMillisecond, 2, 1);
  EXPECT_NEAR(static_cast<double>(first), 2e6, 64 << 10);
  EXPECT_GT(pacer.ask(kMillisecond, 3, 4096, 1), kMillisecond);  // the same link
  const Bytes later = admitted(pacer, 6 * kMillisecond, 2, 1);
  EXPECT_NEAR(static_cast<double>(later), 5e5, 64 << 10);
}

TEST(Pacer, SaysWhenTheRefusedMayGo) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  const Bytes gone = admitted(pacer, 0, 2, 1);
  const Nanoseconds when = pacer.ask(0, 2, 64 << 10, 1);
  EXPECT_EQ(when, (gone - 2'000'000) * 10);  // 10 ns a byte
  EXPECT_GT(pacer.ask(when - 1, 2, 64 << 10, 1), when - 1);
  EXPECT_EQ(pacer.ask(when, 2, 64 << 10, 1), when);
}

TEST(Pacer, ABriefLeadIsHalfAMillisecondAndAnEighthOfTheTimeBefore) {
  constexpr Bytes kMessage = 64 << 10;
  constexpr Nanoseconds kTakes = 655'360;
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  EXPECT_EQ(pacer.ask(7, 2, kMessage, 1, Lead::brief), 7);
  EXPECT_EQ(pacer.ask(7, 2, kMessage, 1, Lead::brief), 7 + kTakes - 500'000 - kTakes / 8) << "so small is it";
  EXPECT_EQ(pacer.ask(7, 4, kMessage, 1, Lead::brief), 7) << "another link";
  EXPECT_EQ(pacer.ask(7, 2, kMessage, 1, Lead::full), 7) << "who will not look again soon";
  const Nanoseconds idle = 7 + 2 * kTakes;
  EXPECT_EQ(pacer.ask(idle, 2, kMessage, 1, Lead::brief), idle);
  EXPECT_EQ(pacer.ask(idle, 2, kMessage, 1, Lead::brief), idle + kTakes - 500'000 - kTakes / 8)
      << "after a gap from the beginning";
}

TEST(Pacer, WhatIsToShowTheLinkIsNeitherHeldNorCounted) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(pacer.ask(7, 2, 1 << 20, 1, Lead::unlimited), 7);
  EXPECT_EQ(pacer.ask(7, 2, 64 << 10, 4, Lead::brief), 7);
  EXPECT_GT(pacer.ask(7, 2, 64 << 10, 4, Lead::brief), 7);
}

TEST(Pacer, ABriefLeadGrowsToTheFullOne) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  Nanoseconds now = 0;
  for (int i = 0; i < 1'000; ++i) now = std::max(now, pacer.ask(now, 2, 64 << 10, 1, Lead::full));
  admitted(pacer, now, 2, 1);
  const Nanoseconds full = pacer.ask(now, 2, 64 << 10, 1, Lead::full);
  EXPECT_GT(full, now);
  EXPECT_EQ(pacer.ask(now, 2, 64 << 10, 1, Lead::brief), full);
}

TEST(Pacer, ManySendersShareTheLink) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 0, 2, 4)), 5e5, 64 << 10);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 10 * kMillisecond, 2, 4)), 2.5e5, 64 << 10);
}

TEST(Pacer, WhatWasNotUsedIsNotSavedUp) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  admitted(pacer, 0, 2, 1);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 1'000 * kMillisecond, 2, 1)), 2e6, 64 << 10);
}

TEST(Pacer, LinksDoNotWaitForEachOther) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  admitted(pacer, 0, 2, 1);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 0, 4, 1)), 2e6, 64 << 10);
}

TEST(Pacer, AnAccessLinkIsSharedByAllThatLeavesTheSite) {
  const Topology here = topology(50'000'000);
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 0, 2, 1)), 1e6, 64 << 10);
  EXPECT_EQ(admitted(pacer, 0, 4, 1), 0);
}

TEST(Pacer, TakesAPercentageOfTheRate) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 200, buckets);
  admitted(pacer, 0, 2, 1);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 5 * kMillisecond, 2, 1)), 1e6, 64 << 10);
}

TEST(Pacer, DoesNotHoldWhatStaysInsideTheSiteOrAFewShortMessages) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  EXPECT_FALSE(pacer.paces(1, kMiB));
  EXPECT_FALSE(pacer.paces(2, Pacer::kShortest - 1));
  EXPECT_TRUE(pacer.paces(2, Pacer::kShortest));
}

TEST(Pacer, CountsManyShortMessagesAsTheyAre) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  const auto goes = [&](Nanoseconds now, Bytes bytes) {
    return !pacer.paces(2, bytes) || pacer.ask(now, 2, bytes, 1) <= now;
  };
  Bytes first = 0, later = 0;
  while (first < 100 * kMiB && goes(kMillisecond, 1'000)) first += 1'000;
  EXPECT_NEAR(static_cast<double>(first), 2e6, 3.0 * Pacer::kShortest);
  while (later < 100 * kMiB && goes(6 * kMillisecond, 1)) ++later;
  EXPECT_NEAR(static_cast<double>(later), 5e5, 3.0 * Pacer::kShortest);
}

TEST(Pacer, CommunicatorsShareTheLinks) {
  const Topology here = topology(50'000'000);
  // Another communicator: fewer sites, in another order.
  const std::vector<Path> paths{{"c"}, {"a"}};
  const Topology other{Layout(paths), Network(2, std::vector<Link>(4, here.network.link(0, 1)),
                                              {std::nullopt, 50'000'000}, {std::nullopt, std::nullopt})};
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets), of_dup(here, 0, 100, buckets), of_part(other, 1, 100, buckets);
  EXPECT_GT(admitted(pacer, 0, 4, 1), 0);
  EXPECT_EQ(admitted(of_dup, 0, 4, 1), 0);
  EXPECT_EQ(admitted(of_part, 0, 0, 1), 0) << "the same site c";
  EXPECT_EQ(admitted(of_dup, 0, 2, 1), 0) << "the same access link";
}

TEST(Pacer, FollowsWhatIsBelievedLast) {
  const Topology slow = topology();
  const std::vector<Path> paths{{"a"}, {"b"}};
  const Topology fast{Layout(paths), Network(2, Link{10 * kMillisecond, 400'000'000, 0})};
  Buckets buckets;
  Pacer pacer(slow, 0, 100, buckets), later(fast, 0, 100, buckets);
  EXPECT_NEAR(static_cast<double>(admitted(pacer, 0, 2, 1)), 8e6, 64 << 10);
}

TEST(Pacer, WhatWaitsGoesSoonerOnceTheLinkIsFoundToBeFaster) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  admitted(pacer, 0, 2, 1);
  Bucket& link = buckets.of("a", "b");
  for (int i = 0; i < 100; ++i) link.take(0, 64 << 10, 1);
  const Nanoseconds before = pacer.ask(0, 2, 64 << 10, 1);
  link.adapt(0, {1'000'000'000, 1'000'000'000, kMillisecond});
  const Nanoseconds after = pacer.ask(0, 2, 64 << 10, 1);
  EXPECT_NEAR(static_cast<double>(after), static_cast<double>(before) / 10, 1.0 * kMillisecond);
}

TEST(Pacer, SaysWhatIsAskedOfALink) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 100, buckets);
  Bucket& link = buckets.of("a", "b");
  pacer.ask(0, 2, 64 << 10, 4);
  PaceDemand demand = link.take_demand();
  EXPECT_FALSE(demand.held);
  EXPECT_EQ(demand.senders, 4);
  admitted(pacer, 0, 2, 0);
  demand = link.take_demand();
  EXPECT_TRUE(demand.held);
  EXPECT_EQ(demand.senders, 0) << "nobody knows";
  EXPECT_FALSE(link.take_demand().held) << "since it was asked last";
}

TEST(Pacer, TakesWhatHasBeenLearntAndHoldsNothingThatNobodyKnows) {
  const Topology here = topology();
  Buckets of_stated, of_unknown;
  LearntLinks learnt;
  Pacer stated(here, 0, 100, of_stated, &learnt), unknown(here, 0, 100, of_unknown, &learnt, Rates::unknown);
  EXPECT_NE(learnt.find("a", "b"), nullptr);
  EXPECT_EQ(learnt.find("a", "a"), nullptr);
  EXPECT_NEAR(static_cast<double>(admitted(stated, 0, 2, 1)), 2e6, 64 << 10);
  EXPECT_GE(admitted(unknown, 0, 2, 1), 100 * kMiB);
}

/// Of one process that looks every 100 us and sends in frames whatever it may, for so long.
Bytes framed(const LinkShare& share, Nanoseconds begin, Nanoseconds time) {
  Bytes gone = 0;
  for (Nanoseconds now = begin; now < begin + time; now += kMillisecond / 10)
    for (Bytes room; (room = share.frame_room(now)) > 0; gone += room) share.take_frame(now, room);
  return gone;
}

TEST(Pacer, HoldsFramesToTheLinksOwnRate) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 110, buckets);
  EXPECT_NEAR(static_cast<double>(framed(pacer.share_of(2, 1), kSecond, kSecond)), 96e6, 5e5);
  EXPECT_NEAR(static_cast<double>(framed(pacer.share_of(4, 4), kSecond, kSecond)), 24e6, 2e5);
}

TEST(Pacer, LetsFramesRunAheadByAnEighthOfTheRoundTripAndSavesNothingUp) {
  const Topology here = topology();
  Buckets buckets;
  Pacer pacer(here, 0, 110, buckets);
  const LinkShare share = pacer.share_of(2, 1);
  for (const Nanoseconds now : {kSecond, 5 * kSecond}) {
    EXPECT_EQ(share.frame_room(now), 240'000);  // 2.5 ms at 96 MB/s
    share.take_frame(now, 240'000);
    EXPECT_EQ(share.frame_room(now), 0);
    EXPECT_EQ(share.frame_room(now + kMillisecond / 2), 0);  // less than a quarter of it
    EXPECT_EQ(share.frame_room(now + kMillisecond), 96'000);
  }
}

TEST(Pacer, FramesGoSoonerOnceTheLinkIsFoundToBeFaster) {
  Bucket bucket;
  bucket.set({1'000, 1'000, 10 * kMillisecond});
  bucket.take_frame(kSecond, 20'000, 1);
  EXPECT_EQ(bucket.frame_room(2 * kSecond, 1), 0);
  bucket.adapt(2 * kSecond, {100'000'000, 100'000'000, 10 * kMillisecond});
  EXPECT_GT(bucket.frame_room(2 * kSecond + kMillisecond, 1), 100'000);
}

TEST(Pacer, HoldsFramesToTheAccessLinkToo) {
  const Topology here = topology(50'000'000);
  Buckets buckets;
  Pacer pacer(here, 0, 110, buckets);
  EXPECT_NEAR(static_cast<double>(framed(pacer.share_of(2, 1), kSecond, kSecond)), 48e6, 5e5);
}

TEST(Pacer, LetsAPacketGoHoweverSlowTheLinkIs) {
  const Topology here = topology(10'000);
  Buckets buckets;
  Pacer pacer(here, 0, 110, buckets);
  EXPECT_GE(pacer.share_of(2, 100).frame_room(kSecond), 1'500);
}

TEST(Pacer, HoldsNothingAtZeroPercent) {
  const Topology here = topology();
  Buckets buckets;
  EXPECT_FALSE(Pacer(here, 0, 0, buckets).paces(2, kMiB));
}

TEST(Pacer, AdmitsSeveralThreadsLittleMoreThanOne) {
  const Topology here = topology();
  Buckets of_one, of_all;
  Pacer alone(here, 0, 100, of_one), shared(here, 0, 100, of_all);
  std::atomic<Bytes> together = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { together += admitted(shared, 0, 2, 1); });
  for (std::thread& thread : threads) thread.join();
  const Bytes most = admitted(alone, 0, 2, 1);
  EXPECT_GE(together, most);
  EXPECT_LE(together, most + 3 * (64 << 10)) << "each may be asking for one message at the same time";
}

}  // namespace
}  // namespace wan
