// SPDX-License-Identifier: BSD-3-Clause
#include "check/expression.h"

namespace wan {

Value Expressions::leaf(Rank rank, Count index) {
  const auto [found, is_new] = leaf_numbers_.try_emplace({rank, index}, static_cast<Value>(leaves_.size()));
  if (is_new) leaves_.push_back({{rank, index}});
  return found->second;
}

Value Expressions::combine(Value left, Value right) {
  if (left == kUndefined || right == kUndefined) return kUndefined;
  const auto [found, is_new] = combinations_.try_emplace({left, right}, static_cast<Value>(leaves_.size()));
  if (is_new) {
    std::vector<Leaf> joined = leaves_[static_cast<std::size_t>(left)];
    const auto& more = leaves_[static_cast<std::size_t>(right)];
    joined.insert(joined.end(), more.begin(), more.end());
    leaves_.push_back(std::move(joined));
  }
  return found->second;
}

std::span<const Leaf> Expressions::leaves(Value value) const {
  if (value == kUndefined) return {};
  return leaves_[static_cast<std::size_t>(value)];
}

}  // namespace wan
