// SPDX-License-Identifier: BSD-3-Clause
#include "algo/contact.h"

#include <algorithm>
#include <optional>

#include "algo/plan.h"
#include "algo/position.h"
#include "plan/builder.h"

namespace wan {

namespace {

/// The ranks of a site that meet those of other sites.
std::vector<Rank> carriers_of(const Position& position, ContactExtent extent, SiteIndex site) {
  if (extent == ContactExtent::none) return {};
  if (extent == ContactExtent::coordinators) return {position.coordinator_of(site)};
  const auto ranks = position.ranks_of(site);
  return {ranks.begin(), ranks.end()};
}

}  // namespace

std::vector<Rank> contacts_of(const Topology& topology, ContactExtent extent, Rank me) {
  const Tuning tuning;  // shapes only what happens inside a site
  const Position position(topology, tuning, me, std::nullopt);
  std::vector<Rank> contacts;
  if (std::ranges::count(carriers_of(position, extent, position.site()), me) == 0) return contacts;
  for (const SiteIndex site : position.other_sites())
    for (const Rank rank : carriers_of(position, extent, site)) contacts.push_back(rank);
  return contacts;
}

Program plan_contact(Rank me, Rank size, std::span<const Rank> contacts) {
  Builder b(Unit::bytes, me, size, {});
  for (const Rank contact : contacts) b.send_signal(contact);
  for (const Rank contact : contacts) b.receive_signal(contact);
  return std::move(b).finish();
}

}  // namespace wan
