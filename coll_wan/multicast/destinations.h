// SPDX-License-Identifier: BSD-3-Clause
// To whom a multicast goes: any set of processes, as ranges of positions. Values. Tested by
// tests/unit/multicast_destinations.cc, tests/property/multicasts.cc and
// tests/fuzz/multicast_destinations.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "multicast/range.h"

namespace wan::multicast {

class Destinations {
 public:
  Destinations() = default;
  /// In any order, and any number of times each.
  explicit Destinations(std::vector<Position> positions);

  bool empty() const { return ranges_.empty(); }
  Position size() const;
  bool contain(Position position) const;
  /// Ascending, and none touches another.
  std::span<const Range> ranges() const { return ranges_; }
  std::vector<Position> positions() const;
  /// Those in a range.
  Destinations within(const Range& range) const;
  /// The first one at or after `position`, or else the first. Aborts where there is none.
  Position next(Position position) const;

  /// As they are sent to one who shares with all of them the prefix that `range` stands for: they are
  /// numbered from its first position, and take at most one bit for each of its positions, or two bytes for
  /// each run of up to 128 of them.
  std::string encode(const Range& range) const;
  /// nullopt where encode() with this range makes no such bytes.
  static std::optional<Destinations> decode(std::string_view bytes, const Range& range);

  friend bool operator==(const Destinations&, const Destinations&) = default;

 private:
  void add(const Range& range);
  /// What follows the first byte; false if it is something else.
  bool take_runs(std::string_view bytes, const Range& range);
  bool take_bits(std::string_view bytes, const Range& range);

  std::vector<Range> ranges_;
};

}  // namespace wan::multicast
