// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/position.h"

#include <algorithm>
#include <utility>

#include "algo/trees/site_tree.h"

namespace wan {

namespace {

bool is_in(const Layout& layout, std::optional<Rank> root, SiteIndex site) {
  return root && layout.site_of(*root) == site;
}

/// The ranks of a site in the order of the lanes.
std::vector<Rank> in_order_of_lanes(const Layout& layout, SiteIndex site, std::optional<Rank> root) {
  const auto carriers = layout.carriers_of(site);
  std::vector<Rank> lanes(carriers.begin(), carriers.end());
  if (is_in(layout, root, site)) std::swap(lanes.front(), *std::ranges::find(lanes, *root));
  return lanes;
}

/// Of a lane that is not the first.
std::vector<Rank> coordinators_of(const Layout& layout, std::optional<Rank> root, int lane) {
  std::vector<Rank> coordinators;
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    const auto ranks = in_order_of_lanes(layout, site, root);
    coordinators.push_back(ranks[static_cast<std::size_t>(lane) % ranks.size()]);
  }
  return coordinators;
}

}  // namespace

Position::Position(const Topology& topology, const Tuning& tuning, Rank me, std::optional<Rank> root,
                   const TreeLoad& load, Rank split, int lane)
    : topology_(topology),
      tuning_(tuning),
      me_(me),
      root_(root),
      load_(load),
      site_(topology.layout.site_of(me)),
      split_(split),
      lane_(lane),
      coordinators_(lane == 0 ? std::vector<Rank>{} : coordinators_of(topology.layout, root, lane)),
      tree_(site_tree(topology, site_, is_in(layout(), root, site_) ? *root : coordinator_of(site_),
                      tuning.tree, tuning.radix, load)) {
  for (SiteIndex site = 0; site < layout().sites(); ++site)
    if (site != site_ && hears(site)) other_sites_.push_back(site);
  std::ranges::stable_sort(other_sites_, std::greater{},
                           [&](SiteIndex site) { return topology_.network.link(site_, site).latency_ns; });
}

Rank Position::coordinator_of(SiteIndex site) const {
  if (lane_ > 0) return coordinators_[static_cast<std::size_t>(site)];
  if (is_in(layout(), root_, site)) return *root_;
  return layout().carriers_of(site).front();
}

}  // namespace wan
