// SPDX-License-Identifier: BSD-3-Clause
// cost/combining.h: what represents a set of ranks, and which of its values may be combined.
#include <gtest/gtest.h>

#include <numeric>

#include "cost/combining.h"

namespace wan {
namespace {

using Ranks = std::vector<Rank>;
using Runs = std::vector<Run>;

Ranks ranks_between(Rank first, Rank last) {
  Ranks ranks(static_cast<std::size_t>(last - first + 1));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

TEST(RunsOf, AreMaximalInRankOrderAndOneInAnyOrder) {
  const Ranks ranks{0, 1, 2, 5, 6, 9};
  EXPECT_EQ(runs_of(ranks, OperandOrder::rank), (Runs{{0, 2}, {5, 6}, {9, 9}}));
  EXPECT_EQ(runs_of(ranks, OperandOrder::any), (Runs{{0, 9}}));
  EXPECT_EQ(runs_of(Ranks{4}, OperandOrder::rank), (Runs{{4, 4}}));
}

TEST(RunsOf, AreAlignedPowersOfTwoInFixedOrder) {
  EXPECT_EQ(runs_of(Ranks{0, 1, 2, 5, 6, 9}, OperandOrder::fixed),
            (Runs{{0, 1}, {2, 2}, {5, 5}, {6, 6}, {9, 9}}));
  EXPECT_EQ(runs_of(ranks_between(0, 12), OperandOrder::fixed), (Runs{{0, 7}, {8, 11}, {12, 12}}));
  EXPECT_EQ(runs_of(ranks_between(5, 9), OperandOrder::fixed), (Runs{{5, 5}, {6, 7}, {8, 9}}));
  EXPECT_EQ(runs_of(ranks_between(4, 7), OperandOrder::fixed), (Runs{{4, 7}}));
}

TEST(RunsOf, AreCountedFromTheBeginningOfTheGroup) {
  const Combining of_groups(OperandOrder::fixed, 3);
  EXPECT_EQ(runs_of(Ranks{3, 4, 5, 6}, of_groups), (Runs{{3, 6}}));
  EXPECT_EQ(runs_of(Ranks{0, 1, 2}, of_groups), (Runs{{0, 1}, {2, 2}}));
  EXPECT_EQ(runs_of(Ranks{4, 5, 6}, of_groups), (Runs{{4, 4}, {5, 6}}));
}

TEST(AreJoined, InAnyOrderAllAndInRankOrderNeighbours) {
  EXPECT_TRUE(are_joined({4, 5}, {1, 2}, OperandOrder::any));
  EXPECT_TRUE(are_joined({1, 3}, {4, 4}, OperandOrder::rank));
  EXPECT_FALSE(are_joined({1, 3}, {5, 5}, OperandOrder::rank));
}

TEST(AreJoined, InFixedOrderTheHalvesOfABlock) {
  EXPECT_TRUE(are_joined({4, 5}, {6, 7}, OperandOrder::fixed));
  EXPECT_FALSE(are_joined({2, 3}, {4, 5}, OperandOrder::fixed)) << "halves of different blocks";
  EXPECT_FALSE(are_joined({4, 5}, {6, 6}, OperandOrder::fixed)) << "half of a half";
  EXPECT_TRUE(are_joined({3, 4}, {5, 6}, Combining(OperandOrder::fixed, 3)));
  EXPECT_FALSE(are_joined({4, 5}, {6, 7}, Combining(OperandOrder::fixed, 3)));
}

/// Whatever the sets that `ranks` are cut into: the values of all of them, joined as far as they may be, are
/// those of the whole.
TEST(RunsOf, OfPartsJoinToThoseOfTheWhole) {
  for (Rank size = 1; size <= 24; ++size)
    for (Rank cut = 1; cut < size; ++cut) {
      Runs joined;
      for (const Ranks& part : {ranks_between(0, cut - 1), ranks_between(cut, size - 1)})
        for (wan::Run run : runs_of(part, OperandOrder::fixed)) {
          for (; !joined.empty() && are_joined(joined.back(), run, OperandOrder::fixed); joined.pop_back())
            run.first = joined.back().first;
          joined.push_back(run);
        }
      EXPECT_EQ(joined, runs_of(ranks_between(0, size - 1), OperandOrder::fixed))
          << size << " cut at " << cut;
    }
}

TEST(Combining, AnIntervalFallsIntoAlignedBlocks) {
  EXPECT_EQ(aligned_blocks({0, 6}), (Runs{{0, 3}, {4, 5}, {6, 6}}));
  EXPECT_EQ(aligned_blocks({3, 8}), (Runs{{3, 3}, {4, 7}, {8, 8}}));
  EXPECT_EQ(aligned_blocks({3, 8}, 3), (Runs{{3, 6}, {7, 8}}));
  EXPECT_TRUE(aligned_blocks({0, -1}).empty());
}

}  // namespace
}  // namespace wan
