// SPDX-License-Identifier: BSD-3-Clause
// learn/rounds.h: the ranks of a communicator, each as fast as it likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "learn/rounds.h"

namespace wan {
namespace {

using Turn = Rounds::Turn;

/// Turns of the next calls, each round ending as late as it may.
std::vector<std::pair<int, Turn>> turns(Rounds& rounds, int calls, std::int32_t most, std::int32_t rarest) {
  std::vector<std::pair<int, Turn>> found;
  for (int call = 1; call <= calls; ++call) {
    if (rounds.is_due()) rounds.heard(most, rarest);
    const Turn turn = rounds.next();
    if (turn != Turn::none) found.emplace_back(call, turn);
  }
  return found;
}

TEST(Rounds, TheFirstResultCountsFromTheFifthCall) {
  Rounds rounds;
  const std::vector<std::pair<int, Turn>> wanted{
      {3, Turn::begin}, {5, Turn::adopt}, {7, Turn::begin}, {9, Turn::adopt}, {11, Turn::begin}};
  EXPECT_EQ(turns(rounds, 11, 0, Rounds::kSoon), wanted);
}

TEST(Rounds, WhileNothingChangesTheyBecomeRarerUpToALimit) {
  Rounds rounds;
  const auto found = turns(rounds, 1000, 0, Rounds::kRarest);
  std::vector<int> begun;
  for (const auto& [call, turn] : found)
    if (turn == Turn::begin) begun.push_back(call);
  EXPECT_EQ(std::vector(begun.begin(), begun.begin() + 5), (std::vector{3, 7, 13, 23, 41}));
  EXPECT_EQ(begun.back() - begun[begun.size() - 2], Rounds::kRarest + Rounds::kShortest);
}

TEST(Rounds, WhileSomethingMayChangeBackTheyStayMoreFrequent) {
  Rounds rounds;
  const auto found = turns(rounds, 200, 0, Rounds::kOften);
  EXPECT_LE(found[found.size() - 1].first - found[found.size() - 3].first,
            Rounds::kOften + Rounds::kShortest);
}

TEST(Rounds, AChangeMakesTheNextOneComeSoon) {
  Rounds rounds;
  turns(rounds, 1000, 0, Rounds::kRarest);
  int calls = 0;
  while (!rounds.is_due()) rounds.next(), ++calls;
  EXPECT_LE(calls, Rounds::kRarest + Rounds::kShortest);
  rounds.heard(0, Rounds::kSoon);
  EXPECT_EQ(rounds.next(), Turn::adopt);
  EXPECT_EQ(rounds.next(), Turn::none);
  EXPECT_EQ(rounds.next(), Turn::begin);
}

TEST(Rounds, ALongCallHasOneBeginSoonThatHasLittleTime) {
  Rounds rounds;
  turns(rounds, 1000, 50, Rounds::kRarest);
  while (!rounds.is_due()) rounds.next();
  rounds.heard(50, Rounds::kRarest);
  EXPECT_EQ(rounds.next(), Turn::adopt);
  EXPECT_EQ(rounds.next(true), Turn::none);
  EXPECT_EQ(rounds.next(true), Turn::begin);
  EXPECT_TRUE(rounds.is_due());
}

TEST(Rounds, WhoMakesManyCallsMeanwhileGetsTwiceAsManyNextTime) {
  Rounds rounds;
  while (!rounds.is_due()) rounds.next();
  rounds.heard(100, Rounds::kSoon);
  EXPECT_EQ(rounds.next(), Turn::adopt);
  EXPECT_EQ(rounds.next(), Turn::none);
  EXPECT_EQ(rounds.next(), Turn::begin);
  int calls = 1;
  for (; !rounds.is_due(); ++calls) EXPECT_EQ(rounds.next(), Turn::none);
  EXPECT_EQ(calls, 200);
  EXPECT_EQ(rounds.since_begun(), 199);
}

/// Ranks make their calls in random turns. A rank may not make one for which it has to have heard of a round
/// until all have begun that round.
struct Rank {
  Rounds rounds;
  int begun = 0, heard = 0, calls = 0;
  std::int32_t told = 0;
  std::vector<std::pair<int, Turn>> turns;
};

void hear(Rank& rank, std::int32_t most, std::int32_t rarest) {
  rank.told = rank.rounds.since_begun();
  rank.rounds.heard(most, rarest);
  ++rank.heard;
}

TEST(Rounds, AllRanksTakeTheSameTurnsHoweverTheyRunAhead) {
  std::mt19937 random(1);
  for (int job = 0; job < 200; ++job) {
    std::vector<Rank> ranks(2 + random() % 4);
    std::vector<std::int32_t> most;  // of each round; what ranks told when they began it
    const auto slowest = [&](auto of) { return std::ranges::min(ranks, {}, of).*of; };
    while (slowest(&Rank::calls) < 300) {
      Rank& rank = ranks[random() % ranks.size() * (random() % 3 > 0 ? 1 : 0)];
      const bool is_over = rank.heard < rank.begun && slowest(&Rank::begun) >= rank.begun;
      if (is_over && (rank.rounds.is_due() || random() % 4 == 0))
        hear(rank, most[static_cast<std::size_t>(rank.heard)],
             rank.heard % 3 == 0 ? Rounds::kSoon : Rounds::kRarest);
      if (rank.rounds.is_due() && rank.heard < rank.begun) continue;
      const Turn turn = rank.rounds.next();
      ++rank.calls;
      if (turn != Turn::none) rank.turns.emplace_back(rank.calls, turn);
      if (turn != Turn::begin) continue;
      most.resize(std::max<std::size_t>(most.size(), static_cast<std::size_t>(rank.begun) + 1));
      auto& of_round = most[static_cast<std::size_t>(rank.begun++)];
      of_round = std::max(of_round, rank.told);
    }
    for (const Rank& rank : ranks) {
      const auto both = std::min(rank.turns.size(), ranks[0].turns.size());
      EXPECT_TRUE(std::equal(rank.turns.begin(), rank.turns.begin() + static_cast<std::ptrdiff_t>(both),
                             ranks[0].turns.begin()));
      EXPECT_GT(both, 4u);
    }
  }
}

}  // namespace
}  // namespace wan
