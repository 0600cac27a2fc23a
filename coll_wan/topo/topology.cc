// SPDX-License-Identifier: BSD-3-Clause
// The links between a communicator's sites. Invariant: every link between two different sites has a latency
// that is not negative and a bandwidth above zero; the entries of a site to itself are never read. Immutable;
// no threads. Tested by tests/unit/topo_topology.cc.
#include "topo/topology.h"

#include <algorithm>
#include <utility>

#include "base/invariant.h"
#include "base/rate.h"
#include "topo/site_file.h"

namespace wan {
namespace {

std::size_t pairs(SiteIndex sites) {
  return static_cast<std::size_t>(sites) * static_cast<std::size_t>(sites);
}

void require_usable(const Link& link) {
  invariant(link.latency_ns >= 0, "a link's latency is negative");
  invariant(link.bandwidth_bytes_per_s > 0, "a link's bandwidth is not above zero");
}

Bytes round_trip_bytes(const Link& link) {
  return passed(link.bandwidth_bytes_per_s, 2 * link.latency_ns);
}

/// Index in the file of each site of the layout; nullopt for a site that the file does not know.
std::vector<std::optional<SiteIndex>> sites_in_file(const Layout& layout, const SiteFile& file) {
  std::vector<std::optional<SiteIndex>> known;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    known.push_back(file.site_named(layout.site_name(site)));
  return known;
}

const Link& link_between(const SiteFile& file, std::optional<SiteIndex> from, std::optional<SiteIndex> to) {
  return from && to ? file.link(*from, *to) : file.default_link();
}

}  // namespace

Network::Network(SiteIndex sites, Link link)
    : Network(sites, std::vector<Link>(pairs(sites), link),
              std::vector<std::optional<BytesPerSecond>>(static_cast<std::size_t>(sites)),
              std::vector<std::optional<BytesPerSecond>>(static_cast<std::size_t>(sites))) {}

Network::Network(SiteIndex sites, std::vector<Link> links, std::vector<std::optional<BytesPerSecond>> uplinks,
                 std::vector<std::optional<BytesPerSecond>> downlinks)
    : sites_(sites),
      links_(std::move(links)),
      uplinks_(std::move(uplinks)),
      downlinks_(std::move(downlinks)) {
  invariant(sites > 0, "a network needs at least one site");
  invariant(links_.size() == pairs(sites), "a network needs one link for each pair of sites");
  const auto count = static_cast<std::size_t>(sites);
  invariant(uplinks_.size() == count && downlinks_.size() == count, "a network needs one cap for each site");
  slowest_from_.resize(count);
  slowest_to_.resize(count);
  for (SiteIndex from = 0; from < sites; ++from)
    for (SiteIndex to = 0; to < sites; ++to) {
      if (from == to) continue;
      const Link& link = this->link(from, to);
      require_usable(link);
      shortest_latency_ns_ =
          from + to == 1 && from == 0 ? link.latency_ns : std::min(shortest_latency_ns_, link.latency_ns);
      fullest_round_trip_ = std::max(fullest_round_trip_, round_trip_bytes(link));
      slowest_from_[static_cast<std::size_t>(from)].add({to, link});
      slowest_to_[static_cast<std::size_t>(to)].add({from, link});
    }
}

Network network_of(const Layout& layout, const SiteFile& file) {
  std::vector<Link> links;
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;
  const auto known = sites_in_file(layout, file);
  for (const auto& from : known) {
    for (const auto& to : known) links.push_back(link_between(file, from, to));
    const Site* site = from ? &file.sites()[static_cast<std::size_t>(*from)] : nullptr;
    uplinks.push_back(site ? site->uplink : std::nullopt);
    downlinks.push_back(site ? site->downlink : std::nullopt);
  }
  return {layout.sites(), std::move(links), std::move(uplinks), std::move(downlinks)};
}

Topology part_of(const Topology& whole, Layout layout, std::span<const Rank> ranks, const Link& inside) {
  const auto rank_of = [&](Rank rank) { return ranks[static_cast<std::size_t>(rank)]; };
  const auto site_of = [&](SiteIndex part) {
    return whole.layout.site_of(rank_of(layout.ranks_of(part).front()));
  };
  std::vector<Link> links;
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;
  for (SiteIndex from = 0; from < layout.sites(); ++from) {
    uplinks.push_back(whole.network.uplink(site_of(from)));
    downlinks.push_back(whole.network.downlink(site_of(from)));
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      links.push_back(site_of(from) == site_of(to) ? inside : whole.network.link(site_of(from), site_of(to)));
  }
  Network network(layout.sites(), std::move(links), std::move(uplinks), std::move(downlinks));
  std::vector<Overheads> overheads;
  if (!whole.overheads.empty())
    for (const Rank rank : ranks) overheads.push_back(whole.overheads[static_cast<std::size_t>(rank)]);
  return {std::move(layout), std::move(network), std::move(overheads), whole.machine};
}

}  // namespace wan
