// SPDX-License-Identifier: BSD-3-Clause
// Hosts in groups by the gaps in their round trips: two hosts are in one group if a chain of short round
// trips joins them (single linkage), and a level ends where the next longer round trip that joins two groups
// is longer by a factor. Equal inputs give equal groups, whatever their order. Pure functions; no threads.
// Tested by tests/unit/probe_clusters.cc.
#pragma once

#include <span>
#include <vector>

#include "probe/measurement.h"

namespace wan::probe {

/// Hosts in groups, which are numbered by their first host.
struct Partition {
  std::vector<int> group_of;  ///< of each host
  int groups = 0;

  /// The hosts of each group, ascending.
  std::vector<std::vector<Host>> members() const;
  friend bool operator==(const Partition&, const Partition&) = default;
};

/// Each host's group is the one of those with an equal label.
Partition partition_by(std::span<const int> labels);

/// The round trip between two hosts.
struct Distance {
  Host a = 0, b = 0;
  Nanoseconds round_trip_ns = 0;
};

/// A round trip that is longer than the one before by this factor begins another level.
inline constexpr double kGap = 2.5;
/// Round trips below this tell about the hosts, not about the network.
inline constexpr Nanoseconds kNothing = 100'000;
/// Groups that are closer than this are one site: nothing is gained by keeping them apart.
inline constexpr Nanoseconds kLeastWide = 1'000'000;

/// One level of groups.
struct Level {
  Partition partition;
  Nanoseconds inside_ns = 0;   ///< the longest round trip that joins two parts of a group
  Nanoseconds outside_ns = 0;  ///< the shortest one that joins two groups; 0: none is measured
};

/// As many levels as there are gaps, from the smallest groups to the largest. Hosts that nothing joins are in
/// different groups in all of them.
std::vector<Level> levels_of(int hosts, std::span<const Distance> distances);

/// The sites: the smallest groups that are at least kLeastWide from each other.
Partition sites_of(std::span<const Level> levels);

}  // namespace wan::probe
