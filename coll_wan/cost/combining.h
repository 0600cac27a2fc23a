// SPDX-License-Identifier: BSD-3-Clause
// In which ways the contributions of a reduction may be combined, and by how many values a set of ranks is
// represented.
//
// An operator is associative, not always commutative, and one that rounds (a sum of floating-point numbers)
// gives other bits for other brackets. In any order, a set of ranks is one value. In rank order it is one
// value for each of its maximal runs of consecutive ranks. In fixed order there is one way to set the
// brackets, whatever the layout and the algorithm, so that every run of a program has the same bits: ranks
// are combined in aligned blocks of powers of two, the right half of a block to the left half, and the blocks
// of a prefix from left to right. A set of ranks is one value for each such block in it.
//
//   set {0 1 2 5 6 9}:   any 0-9;   rank 0-2, 5-6, 9;   fixed 0-1, 2, 5, 6, 9
//   ranks 0-6, fixed:   ((0-3)(4-5))(6)
//
// Tested by tests/unit/cost_combining.cc.
#pragma once

#include <span>
#include <vector>

#include "base/types.h"

namespace wan {

enum class OperandOrder : std::uint8_t { any, rank, fixed };

/// How the contributions of a call are combined.
struct Combining {
  OperandOrder order = OperandOrder::any;
  /// On an intercommunicator the ranks below are one group, the others the other (Call::split), and each
  /// counts its ranks from its first; otherwise 0.
  Rank split = 0;

  Combining(OperandOrder operands, Rank first_of_others = 0) : order(operands), split(first_of_others) {}
  /// Where the group of `rank` begins.
  Rank origin(Rank rank) const { return rank < split ? 0 : split; }
};

/// A set of consecutive ranks, or, in any order, any set, named by its lowest and highest rank.
struct Run {
  Rank first = 0, last = 0;
  Rank size() const { return last - first + 1; }
  friend bool operator==(const Run&, const Run&) = default;
};

/// The values that represent `ranks` (ascending, not both groups').
std::vector<Run> runs_of(std::span<const Rank> ranks, Combining combining);

/// In fixed order, of consecutive ranks that are counted from `origin`; none if there are no ranks.
std::vector<Run> aligned_blocks(Run ranks, Rank origin = 0);

/// May values of these two sets, of which `left` comes first, be combined?
bool are_joined(Run left, Run right, Combining combining);

}  // namespace wan
