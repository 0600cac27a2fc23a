// SPDX-License-Identifier: BSD-3-Clause
// check/expression.h: equal expressions have equal numbers, the order of operands and the grouping count.
#include <gtest/gtest.h>

#include "check/expression.h"

namespace wan {
namespace {

std::vector<Leaf> leaves(const Expressions& expressions, Value value) {
  const auto found = expressions.leaves(value);
  return {found.begin(), found.end()};
}

TEST(Expressions, NumberEqualLeavesEqually) {
  Expressions expressions;
  EXPECT_EQ(expressions.leaf(1, 2), expressions.leaf(1, 2));
  EXPECT_NE(expressions.leaf(1, 2), expressions.leaf(2, 1));
  EXPECT_EQ(leaves(expressions, expressions.leaf(1, 2)), (std::vector<Leaf>{{1, 2}}));
}

TEST(Expressions, ListOperandsFromLeftToRight) {
  Expressions expressions;
  const Value a = expressions.leaf(0, 0), b = expressions.leaf(1, 0), c = expressions.leaf(2, 0);
  const Value left = expressions.combine(expressions.combine(a, b), c);
  const Value right = expressions.combine(a, expressions.combine(b, c));
  EXPECT_EQ(leaves(expressions, left), (std::vector<Leaf>{{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(leaves(expressions, left), leaves(expressions, right));
  EXPECT_NE(left, right);  // not the same bits
  EXPECT_NE(expressions.combine(a, b), expressions.combine(b, a));
  EXPECT_EQ(expressions.combine(a, b), expressions.combine(a, b));
}

TEST(Expressions, KeepWhatIsAddedTwice) {
  Expressions expressions;
  const Value a = expressions.leaf(0, 0);
  EXPECT_EQ(leaves(expressions, expressions.combine(a, a)), (std::vector<Leaf>{{0, 0}, {0, 0}}));
}

TEST(Expressions, AreUndefinedWhereAnOperandIs) {
  Expressions expressions;
  const Value a = expressions.leaf(0, 0);
  EXPECT_EQ(expressions.combine(a, kUndefined), kUndefined);
  EXPECT_EQ(expressions.combine(kUndefined, a), kUndefined);
  EXPECT_TRUE(leaves(expressions, kUndefined).empty());
}

}  // namespace
}  // namespace wan
