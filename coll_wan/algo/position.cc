// SPDX-License-Identifier: BSD-3-Clause
#include "algo/position.h"

#include <algorithm>

namespace wan {

Position::Position(const Topology& topology, const Tuning& tuning, Rank me, std::optional<Rank> root)
    : topology_(topology),
      tuning_(tuning),
      me_(me),
      root_(root),
      site_(topology.layout.site_of(me)),
      tree_(site_tree(topology.layout, site_, coordinator_of(site_), tuning.tree, tuning.radix)) {
  for (SiteIndex site = 0; site < layout().sites(); ++site)
    if (site != site_) other_sites_.push_back(site);
  std::ranges::stable_sort(other_sites_, std::greater{},
                           [&](SiteIndex site) { return topology_.network.link(site_, site).latency_ns; });
}

Rank Position::coordinator_of(SiteIndex site) const {
  if (root_ && layout().site_of(*root_) == site) return *root_;
  return layout().ranks_of(site).front();
}

}  // namespace wan
