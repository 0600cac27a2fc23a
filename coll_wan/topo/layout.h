// SPDX-License-Identifier: BSD-3-Clause
// Where the ranks of one communicator sit: site, below it host, below it NUMA domain. Immutable; built from
// the paths that the processes published, so it is equal on every rank. Roles derive from this map, never
// from a split's order. Tested by tests/unit/topo_layout.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace wan {

/// A process's place, most significant label first: {site}, {site, host}, {site, host, numa}, ... (the
/// topology ID of papers/001). Never empty.
using Path = std::vector<std::string>;

class Layout {
 public:
  /// paths[r] is the path of rank r; near_network[r]: is rank r bound to the NUMA domain of the network
  /// interface that leads to other hosts (empty: nobody knows). Aborts if there is no path or an empty one,
  /// or if the two differ in length.
  explicit Layout(std::span<const Path> paths, std::vector<bool> near_network = {});

  Rank size() const { return static_cast<Rank>(site_of_.size()); }
  SiteIndex sites() const { return static_cast<SiteIndex>(names_.size()); }
  SiteIndex site_of(Rank rank) const { return site_of_[static_cast<std::size_t>(rank)]; }
  /// The label of a site.
  const std::string& site_name(SiteIndex site) const { return names_[static_cast<std::size_t>(site)]; }
  /// Each site in two: its ranks below `split`, and the others.
  Layout split_at(Rank split) const;
  /// Of these ranks alone, which become 0, 1, ...
  Layout of(std::span<const Rank> ranks) const;

  /// The ranks of a site, ascending.
  std::span<const Rank> ranks_of(SiteIndex site) const { return of_site(by_site_, site); }
  /// The ranks of a site by how well they carry between sites: one of each host, then another of each, and so
  /// on; of a host first those near its network interface; of equals the lowest.
  ///   hosts {0 1} {2 3*}, * near the interface:   3 0 2 1
  std::span<const Rank> carriers_of(SiteIndex site) const { return of_site(carriers_, site); }
  /// Of some ranks, the one that carries for them best.
  Rank best_carrier(std::span<const Rank> ranks) const;

  /// Levels below the site that are known for some rank (host, NUMA domain, ...): 0, 1, 2, ...
  int levels() const { return static_cast<int>(groups_.size()); }
  /// The group of `rank` at `level` (0 = host): groups are numbered over the whole communicator, by lowest
  /// rank, and nest. The ranks of a group whose paths end above `level` form one group there.
  std::int32_t group_of(int level, Rank rank) const {
    return groups_[static_cast<std::size_t>(level)][static_cast<std::size_t>(rank)];
  }

 private:
  /// A path that names the same groups.
  Path path_of(Rank rank) const;
  void name_sites(std::span<const Path> paths);
  void order_ranks_by_site();
  void order_carriers();
  bool is_near_network(Rank rank) const {
    return !near_network_.empty() && near_network_[static_cast<std::size_t>(rank)];
  }
  std::span<const Rank> of_site(std::span<const Rank> all, SiteIndex site) const;

  std::vector<SiteIndex> site_of_;
  std::vector<std::string> names_;
  std::vector<Rank> by_site_;                      ///< ranks ordered by site, then rank
  std::vector<Rank> carriers_;                     ///< ranks ordered by site, then by how well they carry
  std::vector<std::size_t> site_begin_;            ///< sites + 1 offsets into both
  std::vector<bool> near_network_;                 ///< [rank]; empty: nobody knows
  std::vector<std::vector<std::int32_t>> groups_;  ///< [level][rank]
};

}  // namespace wan
