// SPDX-License-Identifier: BSD-3-Clause
// The plan cache makes each plan once, stays within its capacity, and does not take a plan away from a
// running call.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "plan/builder.h"
#include "process/plan_cache.h"

namespace wan {
namespace {

Call call_of(Count block) {
  Call call;
  call.collective = Collective::bcast;
  call.block = block;
  return call;
}

/// With a step for each unit of `length`.
Program program_of(Count length) {
  Builder builder(Unit::bytes, 0, 2, {length, 0, 0}, {1, Segmentation::kUncut, 1});
  builder.send(1, builder.input());
  return std::move(builder).finish();
}

/// Counts how often a plan is made.
class PlanMaker {
 public:
  std::shared_ptr<const Program> get(PlanCache& cache, Count length) {
    return get_for(cache, call_of(length), length);
  }
  template <class AnyCall>
  std::shared_ptr<const Program> get_for(PlanCache& cache, const AnyCall& call, Count length = 1) {
    return cache.get(epoch, call, [&] {
      ++made;
      return program_of(length);
    });
  }
  int made = 0;
  Epoch epoch;
};

/// Room for so many of the plans for 1 to 9 units.
std::size_t room_for(int plans) {
  return static_cast<std::size_t>(plans) * (program_of(9).footprint() + sizeof(Call));
}

TEST(PlanCache, MakesEachPlanOnce) {
  PlanCache cache(room_for(4));
  PlanMaker maker;
  auto first = maker.get(cache, 7);
  EXPECT_EQ(maker.get(cache, 7), first);
  EXPECT_EQ(first->size(), 7);
  EXPECT_EQ(maker.get(cache, 8)->size(), 8);
  EXPECT_EQ(maker.made, 2);
}

TEST(PlanCache, TellsEpochsApart) {
  PlanCache cache(room_for(4));
  PlanMaker maker;
  const auto first = maker.get(cache, 7);
  const Epoch before = std::exchange(maker.epoch, {});
  const auto second = maker.get(cache, 7);
  EXPECT_NE(second, first);
  EXPECT_EQ(maker.get(cache, 7), second);
  maker.epoch = before;
  EXPECT_EQ(maker.get(cache, 7), first);
  EXPECT_EQ(maker.made, 2);
}

TEST(PlanCache, ForgetsWhatNobodyCanAskForAnyMore) {
  PlanCache cache(room_for(4));
  PlanMaker maker;
  const std::weak_ptr<const Program> first = maker.get(cache, 7);
  maker.epoch = {};
  EXPECT_FALSE(first.expired());
  maker.get(cache, 7);
  EXPECT_TRUE(first.expired());
}

TEST(PlanCache, KeepsThePlanOfWhoWasFaster) {
  PlanCache cache(room_for(4));
  const Epoch epoch;
  std::shared_ptr<const Program> faster;
  const auto slower = cache.get(epoch, call_of(7), [&] {
    faster = cache.get(epoch, call_of(7), [] { return program_of(7); });  // as another thread meanwhile
    return program_of(7);
  });
  EXPECT_EQ(slower, faster);
}

TEST(PlanCache, ForgetsWhenItMayKeepLess) {
  PlanCache cache(room_for(4));
  PlanMaker maker;
  for (const Count length : {7, 8, 9}) maker.get(cache, length);
  cache.set_capacity(room_for(1));
  maker.get(cache, 9);
  EXPECT_EQ(maker.made, 3);
  maker.get(cache, 7);
  EXPECT_EQ(maker.made, 4);
}

TEST(PlanCache, TellsAllCallsApart) {
  std::vector<Call> calls(10, call_of(4));
  calls[1].collective = Collective::reduce;
  calls[2].root = 1;
  calls[3].placement = Placement::in_place;
  calls[4].order = OperandOrder::rank;
  calls[5].block = 5;
  calls[6].send_counts = calls[7].receive_counts = {1, 2};
  calls[8].unit_bytes = 8;
  calls[9].loads = {1, 2};
  calls.push_back(calls[6]);
  calls.back().members.push_back(std::make_shared<const MemberCounts>());
  PlanCache cache(room_for(100));
  PlanMaker maker;
  for (const Call& call : calls) maker.get_for(cache, call);
  EXPECT_EQ(maker.made, std::ssize(calls));
  for (const Call& call : calls) maker.get_for(cache, call);
  EXPECT_EQ(maker.made, std::ssize(calls));
}

TEST(PlanCache, TellsNeighborhoodCallsApart) {
  NeighborCall call{{}, {4, 4, 0}, {{{1, {Buffer::output, 0, 4}}}, {{1, {Buffer::input, 0, 4}}}}};
  std::vector<NeighborCall> calls(8, call);
  calls[1].traits = {true, false};
  calls[2].traits = {false, true};
  calls[3].lengths.input = 5;
  calls[4].edges.sources[0].peer = 2;
  calls[5].edges.destinations[0].load = 1;
  calls[6].edges.sources[0].data.offset = 1;
  calls[7].bundled = {{4}};
  PlanCache cache(100 * room_for(1));
  PlanMaker maker;
  maker.get(cache, 4);
  for (int round = 0; round < 2; ++round)
    for (const NeighborCall& each : calls) maker.get_for(cache, each);
  EXPECT_EQ(maker.made, 1 + std::ssize(calls));
  maker.get(cache, 4);
  EXPECT_EQ(maker.made, 1 + std::ssize(calls));
}

TEST(PlanCache, ForgetsWhatWasNotUsedForLongest) {
  PlanCache cache(room_for(2));
  PlanMaker maker;
  for (const Count length : {8, 9, 8}) maker.get(cache, length);
  maker.get(cache, 7);
  EXPECT_EQ(maker.made, 3);
  maker.get(cache, 8);
  EXPECT_EQ(maker.made, 3);
  maker.get(cache, 9);
  EXPECT_EQ(maker.made, 4);
}

TEST(PlanCache, ALongPlanTakesThePlaceOfManyShortOnes) {
  PlanCache cache(room_for(100));
  PlanMaker maker;
  for (Count length = 1; length < 10; ++length) maker.get(cache, length);
  auto longest = maker.get(cache, 10'000);
  ASSERT_GT(longest->footprint(), room_for(100));
  EXPECT_EQ(maker.get(cache, 10'000), longest);  // the latest is kept, however long
  EXPECT_EQ(maker.made, 10);
  maker.get(cache, 9);
  EXPECT_EQ(maker.made, 11);
  EXPECT_EQ(longest.use_count(), 1);
}

TEST(PlanCache, CountsTheCountsOfACall) {
  Call call = call_of(4);
  call.receive_counts.resize(room_for(2) / sizeof(Count));
  PlanCache cache(room_for(2));
  PlanMaker maker;
  maker.get(cache, 1);
  maker.get_for(cache, call);
  maker.get(cache, 1);
  EXPECT_EQ(maker.made, 3);
}

TEST(PlanCache, AForgottenPlanLivesAsLongAsItsCall) {
  PlanCache cache(0);
  PlanMaker maker;
  std::weak_ptr<const Program> watched;
  {
    auto running = maker.get(cache, 5);
    watched = running;
    maker.get(cache, 6);
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(running->size(), 5);
  }
  EXPECT_TRUE(watched.expired());
}

TEST(PlanCache, ServesSeveralThreads) {
  PlanCache cache(room_for(3));
  const Epoch epoch;
  std::atomic<int> wrong = 0;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 2'000; ++i) {
      const auto length = static_cast<Count>(1 + random() % 9);
      const auto plan = cache.get(epoch, call_of(length), [&] { return program_of(length); });
      if (plan->size() != length) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace wan
