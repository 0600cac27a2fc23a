// SPDX-License-Identifier: BSD-3-Clause
// From ranks to positions and back in little memory, for any number of processes. Immutable. Tested by
// tests/unit/multicast_strided_map.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wan::multicast {

/// A map from 0, 1, ..., n - 1 to numbers, kept as runs: the first number of each, and what each further one
/// is more. Ranks that a launcher has placed host by host are one run, and those that it has dealt out in
/// turn one for each turn. Where there is no order at all it takes twelve bytes a number.
class StridedMap {
 public:
  StridedMap() = default;
  explicit StridedMap(std::span<const std::int32_t> values);

  /// Aborts where `index` is not one of 0, 1, ..., n - 1.
  std::int32_t at(std::int32_t index) const;
  std::int32_t size() const { return size_; }
  /// Of this object and what it holds.
  std::size_t bytes() const { return sizeof *this + runs_.size() * sizeof(Run); }

 private:
  struct Run {
    std::int32_t begin, value, stride;
  };
  std::vector<Run> runs_;
  std::int32_t size_ = 0;
};

}  // namespace wan::multicast
