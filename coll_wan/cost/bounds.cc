// SPDX-License-Identifier: BSD-3-Clause
#include "cost/bounds.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "cost/passage.h"
#include "cost/quickest_flow.h"

namespace wan {
namespace {

Nanoseconds latency(const Network& network, SiteIndex from, SiteIndex to) {
  return quickest_time(network, {&from, 1}, {&to, 1}, 0);
}

Nanoseconds pair_bound(const Network& network, const Demand& demand) {
  Nanoseconds bound = 0;
  for (SiteIndex a = 0; a < network.sites(); ++a) {
    for (SiteIndex b = 0; b < network.sites(); ++b) {
      const auto& bytes = demand.information.at(a, b);
      if (bytes) bound = std::max(bound, quickest_time(network, {&a, 1}, {&b, 1}, *bytes));
    }
  }
  return bound;
}

/// A site that has something for another, or needs something from it.
struct Partner {
  SiteIndex site;
  Nanoseconds latency_ns;
  Bytes bytes;
};

/// Largest time over the k farthest partners, for each k; time(sites, bytes) is that of their flow.
template <class Time>
Nanoseconds nested_bound(std::vector<Partner> partners, Time time) {
  std::ranges::stable_sort(partners, std::ranges::greater(), &Partner::latency_ns);
  Nanoseconds bound = 0;
  std::vector<SiteIndex> sites;
  Bytes bytes = 0;
  for (const Partner& partner : partners) {
    sites.push_back(partner.site);
    bytes += partner.bytes;
    bound = std::max(bound, time(sites, bytes));
  }
  return bound;
}

Nanoseconds entry_bound(const Network& network, const Demand& demand, SiteIndex to) {
  std::vector<Partner> senders;
  for (SiteIndex from = 0; from < network.sites(); ++from) {
    const auto& bytes = demand.information.at(from, to);
    if (bytes) senders.push_back({from, latency(network, from, to), *bytes});
  }
  return nested_bound(std::move(senders), [&](std::span<const SiteIndex> sites, Bytes bytes) {
    return quickest_time(network, sites, {&to, 1}, bytes);
  });
}

Nanoseconds exit_bound(const Network& network, const Demand& demand, SiteIndex from) {
  std::vector<Partner> receivers;
  for (SiteIndex to = 0; to < network.sites(); ++to) {
    const auto& bytes = demand.information.at(from, to);
    if (bytes) receivers.push_back({to, latency(network, from, to), *bytes});
  }
  return nested_bound(std::move(receivers), [&](std::span<const SiteIndex> sites, Bytes bytes) {
    return quickest_time(network, {&from, 1}, sites, bytes);
  });
}

/// Sites beyond which not every set of them is looked at.
constexpr SiteIndex kMostCutSites = 10;

/// Where everything adds up: what the sites of each set owe to those outside it.
Nanoseconds cut_bound(const Network& network, const Demand& demand) {
  if (network.sites() > kMostCutSites) return 0;
  Nanoseconds bound = 0;
  for (unsigned set = 1; set + 1 < 1u << network.sites(); ++set) {
    std::vector<SiteIndex> inside, outside;
    for (SiteIndex site = 0; site < network.sites(); ++site)
      (set >> site & 1u ? inside : outside).push_back(site);
    Bytes bytes = 0;
    for (const SiteIndex from : inside)
      for (const SiteIndex to : outside) bytes += demand.information.at(from, to).value_or(0);
    if (bytes > 0) bound = std::max(bound, quickest_time(network, inside, outside, bytes));
  }
  return bound;
}

/// Bytes x 1e9 that `link` can have delivered by the time `now`.
Wide delivered(const Link& link, Nanoseconds now) {
  return Wide{link.bandwidth_bytes_per_s} * std::max<Nanoseconds>(0, now - link.latency_ns);
}

/// Bytes x 1e9 that all that leaves `site` can amount to by the time `now`.
Wide delivered_from(const Network& network, SiteIndex site, Nanoseconds now) {
  Wide sum = 0;
  for (SiteIndex to = 0; to < network.sites(); ++to) {
    if (to != site) sum += delivered(network.link(site, to), now);
  }
  const auto cap = network.uplink(site);
  return cap ? std::min(sum, Wide{*cap} * now) : sum;
}

/// The least time at which all links together can have delivered `bytes`.
Nanoseconds volume_bound(const Network& network, Bytes bytes) {
  const auto enough = [&](Nanoseconds now) {
    Wide sum = 0;
    for (SiteIndex site = 0; site < network.sites(); ++site) sum += delivered_from(network, site, now);
    return sum >= Wide{bytes} * kSecond;
  };
  Nanoseconds below = 0, above = 1;
  while (!enough(above)) above *= 2;
  while (above - below > 1) {
    const Nanoseconds middle = below + (above - below) / 2;
    (enough(middle) ? above : below) = middle;
  }
  return below;
}

}  // namespace

Nanoseconds lower_bound(const Network& network, const Demand& demand) {
  Nanoseconds bound = pair_bound(network, demand);
  for (SiteIndex site = 0; site < network.sites(); ++site) {
    if (demand.from_several == Sharing::distinct) bound = std::max(bound, entry_bound(network, demand, site));
    if (demand.to_several == Sharing::distinct) bound = std::max(bound, exit_bound(network, demand, site));
  }
  if (demand.from_several == Sharing::distinct && demand.to_several == Sharing::distinct)
    bound = std::max(bound, cut_bound(network, demand));
  if (demand.combined_everywhere == 0 || network.sites() == 1) return bound;
  return std::max(bound, volume_bound(network, 2 * (network.sites() - 1) * demand.combined_everywhere));
}

}  // namespace wan
