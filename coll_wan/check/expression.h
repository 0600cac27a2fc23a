// SPDX-License-Identifier: BSD-3-Clause
// Symbolic values: a contribution, or the combination of two values. Equal expressions have equal numbers, so
// two ranks hold the same bits if they hold the same number.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/types.h"

namespace wan {

using Value = std::int32_t;
inline constexpr Value kUndefined = -1;

/// Unit `index` of what `rank` contributes.
struct Leaf {
  Rank rank = 0;
  Count index = 0;
  friend auto operator<=>(const Leaf&, const Leaf&) = default;
};

class Expressions {
 public:
  Value leaf(Rank rank, Count index);
  /// left (op) right; kUndefined if either is.
  Value combine(Value left, Value right);
  /// The contributions of `value` from left to right, repeated as often as they were added; none if
  /// undefined.
  std::span<const Leaf> leaves(Value value) const;

 private:
  std::map<Leaf, Value> leaf_numbers_;
  std::map<std::pair<Value, Value>, Value> combinations_;
  std::vector<std::vector<Leaf>> leaves_;
};

}  // namespace wan
