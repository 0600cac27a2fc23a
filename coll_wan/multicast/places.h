// SPDX-License-Identifier: BSD-3-Clause
// The places of all processes of a multicast domain, from which each makes its routing table once. Immutable;
// equal on all processes. Tested by tests/unit/multicast_places.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "multicast/range.h"
#include "topo/layout.h"

namespace wan::multicast {

class Places {
 public:
  /// groups[level][rank]: the group of each rank at each level of the network, the widest first. Groups nest:
  /// those of different parents differ, whatever their numbers. Positions follow the numbers of groups, and
  /// the ranks of those in one group. Aborts where a level has not `size` ranks, or `size` is not positive.
  Places(Rank size, std::vector<std::vector<std::int32_t>> groups);
  /// Site, host, NUMA domain, ...
  static Places of(const Layout& layout);

  Position size() const { return static_cast<Position>(ranks_.size()); }
  int levels() const { return static_cast<int>(groups_.size()); }
  const std::vector<Rank>& ranks() const { return ranks_; }  ///< in the order of positions
  std::vector<Position> positions() const;                   ///< in the order of ranks

  /// Where the groups of a level inside `range`, which is one group of the level above, begin; then the end.
  std::vector<Position> borders(int level, const Range& range) const;

 private:
  std::vector<Rank> ranks_;                        ///< [position]
  std::vector<std::vector<std::int32_t>> groups_;  ///< [level][position]
};

}  // namespace wan::multicast
