// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/partial.h: how the values of sets of ranks are joined.
#include <gtest/gtest.h>

#include "algo/exchange/partial.h"
#include "plan/text.h"

namespace wan {
namespace {

using Runs = std::vector<Run>;

Runs runs(const std::vector<Partial>& partials) {
  Runs found;
  for (const Partial& partial : partials) found.push_back(partial.run);
  return found;
}

TEST(NewPartials, StandInScratchOneAfterTheOther) {
  Builder b(Unit::elements, 0, 2, {});
  const auto partials = new_partials(b, Runs{{0, 2}, {5, 6}}, 3);
  EXPECT_EQ(runs(partials), (Runs{{0, 2}, {5, 6}}));
  EXPECT_EQ(values_of(partials), (std::vector<Range>{{Buffer::scratch, 0, 3}, {Buffer::scratch, 3, 3}}));
}

TEST(Joined, InRankOrderSortsAndJoinsNeighbours) {
  Builder b(Unit::elements, 0, 2, {});
  auto partials = new_partials(b, Runs{{3, 4}, {0, 2}, {6, 6}}, 1);
  const auto result = joined(b, partials, OperandOrder::rank);
  EXPECT_EQ(runs(result), (Runs{{0, 4}, {6, 6}}));
  EXPECT_EQ(values_of(result), (std::vector<Range>{{Buffer::scratch, 0, 1}, {Buffer::scratch, 2, 1}}));
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 2),
            "rank 0 of 2 elements input 0 output 0 scratch 3\n"
            "  0 reduce scratch[1,2) into scratch[0,1)\n");
}

TEST(Joined, InAnyOrderJoinsAllAsGiven) {
  Builder b(Unit::elements, 0, 2, {});
  auto partials = new_partials(b, Runs{{3, 4}, {0, 1}, {6, 6}}, 1);
  const auto result = joined(b, partials, OperandOrder::any);
  EXPECT_EQ(runs(result), (Runs{{0, 6}}));
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 2),
            "rank 0 of 2 elements input 0 output 0 scratch 3\n"
            "  0 reduce scratch[0,1) into scratch[1,2)\n"
            "  1 reduce scratch[1,2) into scratch[2,3) after 0\n");
}

TEST(Joined, InFixedOrderJoinsTheHalvesOfBlocks) {
  Builder b(Unit::elements, 0, 2, {});
  const auto partials = new_partials(b, Runs{{2, 2}, {0, 1}, {3, 3}, {4, 4}, {6, 7}}, 1);
  const auto result = joined(b, partials, OperandOrder::fixed);
  EXPECT_EQ(runs(result), (Runs{{0, 3}, {4, 4}, {6, 7}}));
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 2),
            "rank 0 of 2 elements input 0 output 0 scratch 5\n"
            "  0 reduce scratch[0,1) into scratch[2,3)\n"
            "  1 reduce scratch[1,2) into scratch[2,3) after 0\n");
}

TEST(Product, InFixedOrderJoinsTheBlocksOfAPrefixFromTheLeft) {
  Builder b(Unit::elements, 0, 2, {});
  const auto partials = new_partials(b, Runs{{0, 3}, {4, 5}, {6, 6}}, 1);
  EXPECT_EQ(product(b, partials, OperandOrder::fixed).run, (wan::Run{0, 6}));
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 2),
            "rank 0 of 2 elements input 0 output 0 scratch 3\n"
            "  0 reduce scratch[0,1) into scratch[1,2)\n"
            "  1 reduce scratch[1,2) into scratch[2,3) after 0\n");
}

TEST(Joined, LeavesReadOnlyValuesAsTheyAre) {
  Builder b(Unit::elements, 0, 2, {2, 0, 0});
  const Range left = b.input().slice(0, 1), right = b.input().slice(1, 1);
  const auto result =
      joined(b, {{{0, 0}, left, Partial::Use::read_only}, {{1, 1}, right, Partial::Use::read_only}},
             OperandOrder::rank);
  EXPECT_EQ(runs(result), (Runs{{0, 1}}));
  EXPECT_EQ(result.front().use, Partial::Use::writable);
  EXPECT_EQ(to_text(std::move(b).finish(), 0, 2),
            "rank 0 of 2 elements input 2 output 0 scratch 1\n"
            "  0 copy input[1,2) to scratch[0,1)\n"
            "  1 reduce input[0,1) into scratch[0,1) after 0\n");
}

}  // namespace
}  // namespace wan
