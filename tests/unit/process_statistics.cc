// SPDX-License-Identifier: BSD-3-Clause
// What a process counts of its calls: each thing once, also from several threads, and nothing is lost when a
// communicator goes.
#include <gtest/gtest.h>

#include <thread>

#include "process/statistics.h"
#include "process/wait_clock.h"

namespace wan {
namespace {

Layout three_sites() {
  const std::vector<Path> paths{{"a"}, {"a"}, {"b"}, {"c"}};
  return Layout(paths);
}

constexpr PlanFacts kSpread{{static_cast<int>(Collective::bcast)}, Algorithm::spread, 3, 100};

std::uint64_t calls(const Totals& totals, Collective collective, Algorithm algorithm) {
  return totals.of[static_cast<std::size_t>(collective)][static_cast<std::size_t>(algorithm)].calls;
}

TEST(Statistics, KindsHaveTheirNamesAndAlgorithms) {
  EXPECT_EQ(name_of(kind_of(Collective::allgather)), "allgather");
  EXPECT_EQ(name_of(kind_of(Collective::scatterv)), "scatterv");
  EXPECT_EQ(name_of(kind_of_neighbors(true, false)), "neighbor_allgather");
  EXPECT_EQ(name_of(kind_of_neighbors(false, true)), "neighbor_alltoallv");
  EXPECT_EQ(algorithms_of(kind_of(Collective::barrier)).size(), 1U);
  EXPECT_EQ(algorithms_of(kind_of(Collective::barrier)).front(), Algorithm::direct);
  EXPECT_EQ(algorithms_of(kind_of(Collective::bcast)).size(), 4U);
  EXPECT_EQ(algorithms_of(kind_of_neighbors(true, true)).size(), 2U);
}

TEST(Statistics, CallsAreCountedByKindAndAlgorithm) {
  const Layout layout = three_sites();
  Statistics statistics(layout, 0);
  statistics.count_call(kSpread, {500});
  statistics.count_call(kSpread, {700, CallTimes::Predicted{600, 400}});
  statistics.count_call({kind_of(Collective::bcast), Algorithm::direct, 1, 8}, {10});
  const Totals totals = statistics.totals();
  EXPECT_EQ(calls(totals, Collective::bcast, Algorithm::spread), 2U);
  EXPECT_EQ(totals.of_kind(kind_of(Collective::bcast)), (Totals::Calls{3, 208}));
  EXPECT_EQ(totals.of_kind(kind_of(Collective::reduce)), (Totals::Calls{0, 0}));
  EXPECT_EQ(totals.call_ns, 1210U);
  EXPECT_EQ(totals.predicted_calls, 1U);
  EXPECT_EQ(totals.predicted_calls_ns, 700U);
  EXPECT_EQ(totals.predicted_ns, 600U);
  EXPECT_EQ(totals.bound_ns, 400U);
  EXPECT_EQ(totals.most_lanes, 3U);
}

TEST(Statistics, OnlyWhatLeavesTheSiteIsTraffic) {
  const Layout layout = three_sites();
  Statistics statistics(layout, 0);
  for (const Rank to : {1, 2, 2, 3}) statistics.count_send(to, 10);
  EXPECT_FALSE(statistics.is_remote(1));
  EXPECT_TRUE(statistics.is_remote(3));
  EXPECT_EQ(statistics.totals().sent_messages, 3U);
  EXPECT_EQ(statistics.totals().sent_bytes, 30U);
  const auto sent = statistics.sent();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].from + sent[0].to, "ab");
  EXPECT_EQ(sent[0].messages, 2U);
  EXPECT_EQ(sent[1].to, "c");
  EXPECT_EQ(sent[1].bytes, 10U);
}

TEST(Statistics, WhatACommunicatorCountedStaysWhenItGoes) {
  const Layout layout = three_sites();
  AllStatistics all;
  const int first = 0, second = 0;
  Statistics other(layout, 0);
  {
    Statistics statistics(layout, 0);
    all.add(&first, statistics);
    all.add(&second, other);
    statistics.count_call(kSpread, {5});
    statistics.count_send(2, 7);
    other.count_send(2, 1);
    other.count_plan(Statistics::Found::made);
    other.count_plan(Statistics::Found::kept);
    EXPECT_EQ(all.of(&first).sent_bytes, 7U);
    EXPECT_EQ(all.of(&second).sent_bytes, 1U);
    EXPECT_EQ(all.of(&all).sent_bytes, 0U);  // of what it does not know
    all.remove(&first, statistics);
  }
  EXPECT_EQ(all.of(&first).sent_bytes, 0U);
  EXPECT_EQ(all.all().sent_bytes, 8U);
  EXPECT_EQ(all.all().call_ns, 5U);
  EXPECT_EQ(all.all().plan_hits, 1U);
  EXPECT_EQ(all.all().plan_misses, 1U);
  ASSERT_EQ(all.sent().size(), 1U);
  EXPECT_EQ(all.sent()[0].bytes, 8U);
  all.remove(&second, other);
  EXPECT_EQ(all.sent()[0].messages, 2U);
}

/// Another communicator may be where one was.
TEST(Statistics, AnAddressThatIsUsedAgainIsTheNewOnes) {
  const Layout layout = three_sites();
  AllStatistics all;
  const int address = 0;
  Statistics before(layout, 0), now(layout, 0);
  all.add(&address, before);
  all.add(&address, now);
  now.count_wait(3);
  all.remove(&address, before);
  EXPECT_EQ(all.of(&address).wait_ns, 3U);
  all.remove(&address, now);
  EXPECT_EQ(all.of(&address).wait_ns, 0U);
}

TEST(Statistics, ThreadsLoseNothing) {
  constexpr int kThreads = 4, kEach = 5000;
  const Layout layout = three_sites();
  AllStatistics all;
  Statistics statistics(layout, 0);
  all.add(&layout, statistics);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        statistics.count_call({kSpread.kind, Algorithm::spread, thread + 1, 2}, {1});
        statistics.count_send(2, 3);
        if (i % 100 == 0) {
          EXPECT_LE(all.of(&layout).sent_messages, std::uint64_t{kThreads * kEach});
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  const Totals totals = all.all();
  EXPECT_EQ(totals.of_kind(kSpread.kind), (Totals::Calls{kThreads * kEach, 2 * kThreads * kEach}));
  EXPECT_EQ(totals.sent_bytes, std::uint64_t{3 * kThreads * kEach});
  EXPECT_EQ(totals.call_ns, std::uint64_t{kThreads * kEach});
  EXPECT_EQ(totals.most_lanes, std::uint64_t{kThreads});
}

TEST(WaitClock, MeasuresTheUnion) {
  WaitClock clock;
  Nanoseconds time = 0;
  int looks = 0;
  const auto now = [&] {
    ++looks;
    return time;
  };
  time = 10;
  clock.begin(now);
  time = 20;
  clock.begin(now);
  time = 30;
  EXPECT_EQ(clock.end(now), 0);
  time = 45;
  EXPECT_EQ(clock.end(now), 35);
  EXPECT_EQ(looks, 2);
  time = 100;
  clock.begin(now);
  time = 101;
  EXPECT_EQ(clock.end(now), 1);
}

/// One thread begins, others end: the sum is what the clock went on meanwhile, for it stands still in
/// between.
TEST(WaitClock, OthersMayEnd) {
  WaitClock clock;
  std::atomic<Nanoseconds> time = 0, measured = 0;
  const auto now = [&] { return time.load(); };
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 4; ++i) clock.begin(now);
    ++time;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { measured += clock.end(now); });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(measured, 200);
}

}  // namespace
}  // namespace wan
