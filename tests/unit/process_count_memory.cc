// SPDX-License-Identifier: BSD-3-Clause
// process/count_memory.h: what is told again, and that all ranks of a site know the same, whatever the order
// in which calls that are under way at the same time go on.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "algo/services/survey.h"
#include "process/count_memory.h"

namespace wan {
namespace {

/// A site of three ranks of a communicator of six, each of which hears of all.
class SiteOfThree {
 public:
  static constexpr Rank kSize = 6;
  const std::vector<Rank> ranks{0, 2, 5};

  SiteOfThree() {
    for (const Rank rank : ranks)
      memories_.push_back(std::make_unique<CountMemory>(ranks, ranks, rank, kSize));
  }
  std::size_t size() const { return ranks.size(); }
  CountMemory& memory(std::size_t i) { return *memories_[i]; }

 private:
  std::vector<std::unique_ptr<CountMemory>> memories_;
};

/// Sends `seed` units to rank `seed`, and receives as much.
Call counts(int seed) {
  Call call;
  call.collective = Collective::alltoallv;
  call.send_counts.assign(SiteOfThree::kSize, 0);
  call.send_counts[static_cast<std::size_t>(seed % SiteOfThree::kSize)] = seed;
  call.receive_counts = call.send_counts;
  return call;
}

/// A call of all ranks, each step of which a rank may take when all have taken the one before.
class SiteCall {
 public:
  SiteCall(SiteOfThree& site, const std::vector<int>& seeds) : site_(site), seeds_(seeds) {
    for (std::size_t i = 0; i < site.size(); ++i)
      surveys_.emplace_back(site.memory(i), survey_entry(counts(seeds[i])));
    notices_.resize(site.size());
    lengths_.resize(site.size());
    told_.resize(site.size());
    steps_.resize(site.size(), 0);
  }
  /// Can rank i go on? It does.
  bool step(std::size_t i) {
    const int step = steps_[i];
    if (step == 3 || std::ranges::any_of(steps_, [&](int other) { return other < step; })) return false;
    if (step == 0) notices_[i] = surveys_[i].notice();
    if (step == 1) {
      lengths_[i] = surveys_[i].hear_notices(joined(notices_));
      told_[i] = surveys_[i].told();
    }
    if (step == 2) surveys_[i].hear_entries(joined(told_));
    ++steps_[i];
    return true;
  }
  void run() {
    for (int step = 0; step < 3; ++step)
      for (std::size_t i = 0; i < site_.size(); ++i) EXPECT_TRUE(this->step(i));
    check();
  }
  /// Does everybody know the truth, and in the same way?
  void check() const {
    for (std::size_t i = 0; i < site_.size(); ++i) {
      EXPECT_EQ(lengths_[i], lengths_[0]);
      ASSERT_EQ(known(i).members.size(), site_.size());
      for (std::size_t j = 0; j < site_.size(); ++j)
        EXPECT_EQ(*known(i).members[j],
                  member_of(site_.ranks[j], SiteOfThree::kSize, survey_entry(counts(seeds_[j]))));
    }
  }
  const CountMemory::Known& known(std::size_t i) const { return surveys_[i].known(); }
  /// How many ranks told their counts.
  std::ptrdiff_t told() const { return std::ssize(lengths_[0]) - std::ranges::count(lengths_[0], 0); }
  bool is_over() const {
    return std::ranges::all_of(steps_, [](int step) { return step == 3; });
  }

 private:
  static std::vector<Count> joined(const std::vector<std::vector<Count>>& parts) {
    std::vector<Count> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  SiteOfThree& site_;
  std::vector<int> seeds_;
  std::deque<CountMemory::Survey> surveys_;
  std::vector<std::vector<Count>> notices_, lengths_, told_;
  std::vector<int> steps_;
};

std::ptrdiff_t told(SiteOfThree& site, const std::vector<int>& seeds) {
  SiteCall call(site, seeds);
  call.run();
  return call.told();
}

TEST(CountMemory, AsksOnceForWhatDoesNotChange) {
  SiteOfThree site;
  EXPECT_EQ(told(site, {1, 2, 3}), 3);
  EXPECT_EQ(told(site, {1, 2, 3}), 0);
  EXPECT_EQ(told(site, {1, 4, 3}), 1);
  EXPECT_EQ(told(site, {1, 4, 3}), 0);
}

TEST(CountMemory, RemembersCallsThatTakeTurns) {
  SiteOfThree site;
  for (int there = 1; there <= 2; ++there) EXPECT_EQ(told(site, {there, there, there}), 3);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(told(site, {1 + i % 2, 1 + i % 2, 1 + i % 2}), 0);
}

TEST(CountMemory, ForgetsWhatIsLongAgo) {
  SiteOfThree site;
  EXPECT_EQ(told(site, {1, 1, 1}), 3);
  for (int i = 2; i < 2 + CountMemory::kCalls; ++i) EXPECT_EQ(told(site, {i, i, i}), 3);
  EXPECT_EQ(told(site, {1, 1, 1}), 3);
}

TEST(CountMemory, KeepsTheEpochWhileNothingChanges) {
  SiteOfThree site;
  SiteCall first(site, {1, 2, 3});
  first.run();
  SiteCall same(site, {1, 2, 3});
  same.run();
  SiteCall other(site, {1, 2, 4});
  other.run();
  EXPECT_EQ(first.known(1).epoch, same.known(1).epoch);
  EXPECT_NE(first.known(1).epoch, other.known(1).epoch);
}

TEST(CountMemory, ReliesOnNoCallThatOneRankHasNotCompleted) {
  SiteOfThree site;
  SiteCall first(site, {1, 2, 3});
  SiteCall second(site, {1, 2, 3});
  for (int step = 0; step < 2; ++step)
    for (std::size_t i = 0; i < 3; ++i) first.step(i);
  first.step(0);
  first.step(1);
  second.run();
  EXPECT_EQ(second.told(), 3);
  first.step(2);
  first.check();
  EXPECT_EQ(told(site, {1, 2, 3}), 0);
}

TEST(CountMemory, ACallThatIsNeverCompletedHindersNobody) {
  SiteOfThree site;
  SiteCall never(site, {7, 8, 9});
  EXPECT_EQ(told(site, {1, 2, 3}), 3);
  EXPECT_EQ(told(site, {1, 2, 3}), 0);
}

TEST(CountMemory, AllKnowTheSameInAnyOrder) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    SiteOfThree site;
    std::deque<SiteCall> calls;
    for (int step = 0; step < 300; ++step) {
      const bool is_full = std::ranges::count_if(calls, [](const SiteCall& c) { return !c.is_over(); }) >= 6;
      if (!is_full && random() % 8 == 0) {
        std::vector<int> seeds;
        for (int i = 0; i < 3; ++i) seeds.push_back(static_cast<int>(random() % 3));
        calls.emplace_back(site, seeds);
      }
      if (!calls.empty()) calls[random() % calls.size()].step(random() % 3);
    }
    for (SiteCall& call : calls) {
      while (!call.is_over())
        for (std::size_t i = 0; i < 3; ++i) call.step(i);
      call.check();
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace wan
