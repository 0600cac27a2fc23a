// SPDX-License-Identifier: BSD-3-Clause
// Positions of processes, and ranges of them. Plain data.
#pragma once

#include <cstdint>

namespace wan::multicast {

/// Where a process stands among all of a multicast domain, in the order of their topology IDs (places.h),
/// from 0. Processes whose IDs share a prefix stand next to each other: a prefix is a range of positions.
using Position = std::int32_t;

/// Positions from `begin` to before `end`.
struct Range {
  Position begin = 0, end = 0;

  Position size() const { return end - begin; }
  bool contains(Position position) const { return begin <= position && position < end; }
  bool contains(const Range& other) const { return begin <= other.begin && other.end <= end; }

  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace wan::multicast
