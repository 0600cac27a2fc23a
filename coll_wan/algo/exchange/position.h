// SPDX-License-Identifier: BSD-3-Clause
// Where one rank stands in a lane of a call (algo/exchange/lanes.h): its site, who coordinates the lane in
// each site, and its place in the lane's tree of its own site. Most calls have one lane, 0. Of that the root
// coordinates its site in rooted collectives (papers/004, section 2), elsewhere the best carrier
// (topo/layout.h); of the next lanes the next carriers, on other hosts first, and where there are not as
// many, the same ranks again, in other pairs (algo/exchange/lane_pairs.h). Equal on all ranks. Tested by
// tests/unit/algo_position.cc.
//
//   hosts {0 1} {2 3}:   lane 0: 0, 1: 2, 2: 1, 3: 3, 4: 0        with root 1:   lane 0: 1, 1: 2, 2: 0, 3: 3
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algo/trees/tree.h"
#include "algo/trees/tree_load.h"
#include "algo/tuning.h"
#include "topo/topology.h"

namespace wan {

class Position {
 public:
  /// root: nullopt for collectives without one. load: what the trees carry, where it matters. split: 0, or
  /// where the second of two groups begins, neither of which has anything for itself; no site has ranks of
  /// both.
  Position(const Topology& topology, const Tuning& tuning, Rank me, std::optional<Rank> root,
           const TreeLoad& load = {}, Rank split = 0)
      : Position(topology, tuning, me, root, load, split, {}) {}

  Rank me() const { return me_; }
  Rank size() const { return topology_.layout.size(); }
  const Topology& topology() const { return topology_; }
  const Layout& layout() const { return topology_.layout; }
  const Network& network() const { return topology_.network; }
  const Tuning& tuning() const { return tuning_; }
  SiteIndex site() const { return site_; }
  /// Who brings what the lane carries out of `site` and into it.
  Rank coordinator_of(SiteIndex site) const;
  bool is_coordinator() const { return me_ == coordinator_of(site_); }
  /// The same rank in each of so many lanes.
  std::vector<Position> in_lanes(int lanes) const;
  /// Has `site` anything for this rank's site? Not where it is of the same one of two groups.
  bool hears(SiteIndex site) const {
    return split_ == 0 || (ranks_of(site).front() < split_) != (me_ < split_);
  }
  /// The other sites, as far as they have anything for this one, those with the longest latency from here
  /// first (papers/000: send in order of decreasing label).
  std::span<const SiteIndex> other_sites() const { return other_sites_; }
  std::span<const Rank> ranks_of(SiteIndex site) const { return layout().ranks_of(site); }

  /// Tree of the own site: rooted at the coordinator, but in the root's site, in every lane, at the root.
  const Tree& tree() const { return tree_; }
  std::optional<Rank> parent() const { return tree_.parent_of(me_); }
  std::span<const Rank> children() const { return tree_.children_of(me_); }

 private:
  Position(const Topology& topology, const Tuning& tuning, Rank me, std::optional<Rank> root,
           const TreeLoad& load, Rank split, std::vector<Rank> coordinators);

  const Topology& topology_;
  const Tuning& tuning_;
  Rank me_;
  std::optional<Rank> root_;
  TreeLoad load_;
  SiteIndex site_;
  Rank split_;
  std::vector<Rank> coordinators_;  ///< of the sites; empty in lane 0
  Tree tree_;
  std::vector<SiteIndex> other_sites_;
};

}  // namespace wan
