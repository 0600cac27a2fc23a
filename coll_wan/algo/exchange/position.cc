// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/position.h"

#include <algorithm>
#include <utility>

#include "algo/exchange/lane_pairs.h"
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

}  // namespace

Position::Position(const Topology& topology, const Tuning& tuning, Rank me, std::optional<Rank> root,
                   const TreeLoad& load, Rank split, std::vector<Rank> coordinators)
    : topology_(topology),
      tuning_(tuning),
      me_(me),
      root_(root),
      load_(load),
      site_(topology.layout.site_of(me)),
      split_(split),
      coordinators_(std::move(coordinators)),
      tree_(site_tree(topology, site_, is_in(layout(), root, site_) ? *root : coordinator_of(site_),
                      tuning.tree, tuning.radix, load)) {
  for (SiteIndex site = 0; site < layout().sites(); ++site)
    if (site != site_ && hears(site)) other_sites_.push_back(site);
  std::ranges::stable_sort(other_sites_, std::greater{},
                           [&](SiteIndex site) { return topology_.network.link(site_, site).latency_ns; });
}

Rank Position::coordinator_of(SiteIndex site) const {
  if (!coordinators_.empty()) return coordinators_[static_cast<std::size_t>(site)];
  if (is_in(layout(), root_, site)) return *root_;
  return layout().carriers_of(site).front();
}

std::vector<Position> Position::in_lanes(int lanes) const {
  std::vector<Position> positions{*this};
  if (lanes <= 1) return positions;
  std::vector<std::vector<Rank>> sites;
  for (SiteIndex site = 0; site < layout().sites(); ++site)
    sites.push_back(in_order_of_lanes(layout(), site, root_));
  auto coordinators = coordinators_of_lanes(sites, lanes);
  for (std::size_t lane = 1; lane < coordinators.size(); ++lane)
    positions.push_back({topology_, tuning_, me_, root_, load_, split_, std::move(coordinators[lane])});
  return positions;
}

}  // namespace wan
