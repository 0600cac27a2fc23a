// SPDX-License-Identifier: BSD-3-Clause
// bench/ordering: the messages of a multiply by hand; its unit model, whose optimum is that of all orders
// (exhaustive search) and of the paper's algorithm; the patterns are what they say. RC_PARAMS sets the number
// of random cases and the seed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "bench/ordering/phases.h"

namespace wan::bench {
namespace {

using Loads = std::vector<std::int64_t>;

int pick(int from, int to) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to + 1));
}

/// Rank 0 owns entries 0 and 1, rank 1 entry 2 and rank 2 entry 3.
TEST(Ordering, MessagesAreTheEntriesThatSomebodyElseNeeds) {
  const Pattern pattern{"by hand", 4, {{0, 0}, {0, 2}, {1, 2}, {2, 0}, {2, 3}, {3, 3}}};
  const Partition parts{3, {0, 0, 1, 2}, {0, 0, 1, 0, 2, 2}};
  const Phases phases = phases_of(pattern, parts);
  EXPECT_EQ(phases.expand, (Messages{{}, {{0, {2}}}, {}}));
  EXPECT_EQ(phases.fold, (Messages{{{1, {2}}}, {{0, {1}}}, {{1, {2}}}}));
  EXPECT_EQ(post_loads(phases), (Loads{1, 1, 1}));
}

TEST(Ordering, IsByDescendingKeyAndThenByNumber) {
  const Messages messages{{{1, {0}}, {2, {0}}, {3, {0}}, {4, {0}}}, {}, {}, {}, {}};
  EXPECT_EQ(ordered_by(messages, {9, 1, 5, 5, 7}).front(), (std::vector<Rank>{4, 2, 3, 1}));
}

/// 0 sends to 1 and 2, which send 3 messages and none afterwards.
TEST(Ordering, CompletesLaterInTheWrongOrder) {
  const Loads loads{0, 3, 0};
  EXPECT_EQ(completion({{1, 2}, {}, {}}, loads), 4);
  EXPECT_EQ(completion({{2, 1}, {}, {}}, loads), 5);
  EXPECT_EQ(completion({{}, {}, {}}, loads), 3);
}

std::int64_t least_of_all_orders(Orders& orders, const Loads& loads, std::size_t from = 0) {
  if (from == orders.size()) return completion(orders, loads);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::ranges::sort(orders[from]);
  do {
    least = std::min(least, least_of_all_orders(orders, loads, from + 1));
  } while (std::ranges::next_permutation(orders[from]).found);
  return least;
}

RC_GTEST_PROP(Ordering, OptimumIsThatOfAllOrdersAndOfThePapersAlgorithm, ()) {
  const int size = pick(2, 5);
  Messages messages(static_cast<std::size_t>(size));
  Loads loads;
  for (int from = 0; from < size; ++from) {
    loads.push_back(pick(0, 6));
    for (int to = 0; to < size; ++to)
      if (to != from && pick(0, 2) > 0) messages[static_cast<std::size_t>(from)][to] = {0};
  }
  Orders orders = ordered_by(messages, loads);
  const std::int64_t optimum = least_completion(messages, loads);
  RC_ASSERT(completion(orders, loads) == optimum);
  RC_ASSERT(least_of_all_orders(orders, loads) == optimum);
}

TEST(Ordering, PatternsHaveTheirDiagonalAndNoNonzeroTwice) {
  for (const Pattern& pattern : patterns()) {
    EXPECT_EQ(
        std::ranges::count_if(pattern.nonzeros, [](const Nonzero& each) { return each.row == each.column; }),
        pattern.size);
    EXPECT_TRUE(std::ranges::adjacent_find(pattern.nonzeros, std::greater_equal{}) == pattern.nonzeros.end())
        << pattern.name;
    for (const Nonzero& each : pattern.nonzeros)
      ASSERT_TRUE(0 <= each.row && each.row < pattern.size && 0 <= each.column && each.column < pattern.size);
  }
}

TEST(Ordering, MeshesAreSymmetricAndGraphsAreNot) {
  const auto is_symmetric = [](const Pattern& pattern) {
    return std::ranges::all_of(pattern.nonzeros, [&](const Nonzero& each) {
      return std::ranges::binary_search(pattern.nonzeros, Nonzero{each.column, each.row});
    });
  };
  EXPECT_TRUE(is_symmetric(mesh("two dimensions", 9, 7, 1)));
  EXPECT_TRUE(is_symmetric(mesh("three dimensions", 5, 4, 3)));
  EXPECT_FALSE(is_symmetric(rmat("graph", {})));
}

}  // namespace
}  // namespace wan::bench
