// SPDX-License-Identifier: BSD-3-Clause
// Where one rank stands in a call: its site, the coordinators of all sites, and its place in the tree of its own site.
// In rooted collectives the root is the coordinator of its site (papers/004, section 2), elsewhere the lowest rank.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algo/plan.h"
#include "algo/tree.h"
#include "topo/topology.h"

namespace wan {

class Position {
 public:
  /// root: nullopt for collectives without one.
  Position(const Topology& topology, const Tuning& tuning, Rank me, std::optional<Rank> root);

  Rank me() const { return me_; }
  Rank size() const { return topology_.layout.size(); }
  const Layout& layout() const { return topology_.layout; }
  const Network& network() const { return topology_.network; }
  const Tuning& tuning() const { return tuning_; }
  SiteIndex site() const { return site_; }
  Rank coordinator_of(SiteIndex site) const;
  bool is_coordinator() const { return me_ == tree_.root(); }
  /// The other sites, those with the longest latency from here first (papers/000: send in order of decreasing label).
  std::span<const SiteIndex> other_sites() const { return other_sites_; }
  std::span<const Rank> ranks_of(SiteIndex site) const { return layout().ranks_of(site); }

  /// Tree of the own site.
  const Tree& tree() const { return tree_; }
  std::optional<Rank> parent() const { return tree_.parent_of(me_); }
  std::span<const Rank> children() const { return tree_.children_of(me_); }

 private:
  const Topology& topology_;
  const Tuning& tuning_;
  Rank me_;
  std::optional<Rank> root_;
  SiteIndex site_;
  Tree tree_;
  std::vector<SiteIndex> other_sites_;
};

}  // namespace wan
