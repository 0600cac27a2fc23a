// SPDX-License-Identifier: BSD-3-Clause
// From what hosts measured to the matrix of links between groups of hosts. Pure functions; no threads. Tested
// by tests/unit/probe_links.cc and tests/property/probes.cc.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "probe/clusters.h"
#include "probe/measurement.h"
#include "topo/link.h"

namespace wan::probe {

/// The links between groups; none of a group to itself, or to a group that nobody has reached.
class LinkMatrix {
 public:
  explicit LinkMatrix(int groups)
      : groups_(groups), links_(static_cast<std::size_t>(groups) * static_cast<std::size_t>(groups)) {}
  int groups() const { return groups_; }
  std::optional<Link>& at(int from, int to) { return links_[index(from, to)]; }
  const std::optional<Link>& at(int from, int to) const { return links_[index(from, to)]; }

 private:
  std::size_t index(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(groups_) + static_cast<std::size_t>(to);
  }
  int groups_;
  std::vector<std::optional<Link>> links_;
};

/// The least round trips between hosts, of those that were reached.
std::vector<Distance> distances_of(std::span<const Finding> findings);

/// The latency is half of the least round trip of all hosts of two groups, and the rate is that of the trains
/// from one to the other. What nobody measured is estimated: latencies by the shortest way over another
/// group, rates by that group's, and failing that by the median of all known rates. Groups without any
/// measured way to each other have no link.
LinkMatrix links_between(const Partition& groups, std::span<const Finding> findings);

}  // namespace wan::probe
