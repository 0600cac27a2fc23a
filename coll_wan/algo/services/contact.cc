// SPDX-License-Identifier: BSD-3-Clause
#include "algo/services/contact.h"

#include <algorithm>
#include <optional>

#include "algo/choice/lane_choice.h"
#include "algo/exchange/position.h"
#include "plan/builder.h"

namespace wan {

namespace {

void add(std::vector<Rank>& met, Rank rank) {
  if (std::ranges::find(met, rank) == met.end()) met.push_back(rank);
}

/// Whom `me` meets as the coordinator of each site in this lane.
void add_coordinators(std::vector<std::vector<Rank>>& of_sites, const Position& lane) {
  if (!lane.is_coordinator()) return;
  for (const SiteIndex site : lane.other_sites())
    add(of_sites[static_cast<std::size_t>(site)], lane.coordinator_of(site));
}

/// Whom `me` meets on other hosts of its own site: its neighbours in the tree of this lane.
void add_neighbours(std::vector<Rank>& met, const Position& lane) {
  const auto host = [&](Rank rank) -> std::int32_t {
    return lane.layout().levels() > 0 ? lane.layout().group_of(0, rank) : 0;
  };
  const auto add_on_other_host = [&](Rank rank) {
    if (host(rank) != host(lane.me())) add(met, rank);
  };
  if (const auto parent = lane.parent()) add_on_other_host(*parent);
  std::ranges::for_each(lane.children(), add_on_other_host);
}

/// Equal on all ranks.
ContactExtent decided(ContactExtent extent, const Layout& layout) {
  if (extent != ContactExtent::automatic) return extent;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    if (layout.size() - static_cast<Rank>(layout.ranks_of(site).size()) > kFewOthers)
      return ContactExtent::coordinators;
  return ContactExtent::all;
}

/// By site.
std::vector<std::vector<Rank>> met_by(const Position& position, ContactExtent extent, int lanes) {
  std::vector<std::vector<Rank>> of_sites(static_cast<std::size_t>(position.layout().sites()));
  if (extent == ContactExtent::none) return of_sites;
  for (const Position& of_lane : position.in_lanes(lanes)) {
    add_neighbours(of_sites[static_cast<std::size_t>(position.site())], of_lane);
    if (extent == ContactExtent::coordinators) add_coordinators(of_sites, of_lane);
  }
  if (extent == ContactExtent::all)
    for (const SiteIndex site : position.other_sites()) {
      const auto ranks = position.ranks_of(site);
      of_sites[static_cast<std::size_t>(site)].assign(ranks.begin(), ranks.end());
    }
  return of_sites;
}

}  // namespace

std::vector<Rank> contacts_of(const Topology& topology, const Tuning& tuning, ContactExtent extent, Rank me) {
  const Position position(topology, tuning, me, std::nullopt);
  const auto of_sites = met_by(position, decided(extent, topology.layout), most_lanes(topology, tuning));
  std::vector<Rank> contacts;
  for (const SiteIndex site : position.other_sites())
    for (const Rank rank : of_sites[static_cast<std::size_t>(site)]) contacts.push_back(rank);
  for (const Rank rank : of_sites[static_cast<std::size_t>(position.site())]) contacts.push_back(rank);
  return contacts;
}

Program plan_contact(Rank me, Rank size, std::span<const Rank> contacts) {
  Builder b(Unit::bytes, me, size, {});
  for (const Rank contact : contacts) b.send_signal(contact);
  for (const Rank contact : contacts) b.receive_signal(contact);
  return std::move(b).finish();
}

}  // namespace wan
