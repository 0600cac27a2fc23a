// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/lane_choice.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "algo/choice/route_choice.h"
#include "cost/passage.h"

namespace wan {

namespace {

constexpr Bytes kAnyLength = std::numeric_limits<Bytes>::max();

int ranks_of(const Layout& layout, SiteIndex site) {
  return static_cast<int>(layout.ranks_of(site).size());
}

BytesPerSecond rate_of(const Network& network, SiteIndex from, SiteIndex to) {
  const BytesPerSecond rate = network.link(from, to).bandwidth_bytes_per_s;
  return std::min({rate, network.uplink(from).value_or(rate), network.downlink(to).value_or(rate)});
}

/// Connections between two sites that are worth having for `bytes`; two processes with one each have as many
/// as one with two.
int connections(const Topology& topology, Bytes window, SiteIndex from, SiteIndex to, Bytes bytes) {
  const Network& network = topology.network;
  const Nanoseconds round_trip = network.round_trip_ns(from, to);
  const Bytes under_way = std::min(bytes, passed(rate_of(network, from, to), round_trip));
  const Bytes wanted = (under_way + window - 1) / window;
  return static_cast<int>(
      std::min<Bytes>(wanted, std::max(ranks_of(topology.layout, from), ranks_of(topology.layout, to))));
}

/// For `bytes` over each link, or over those of the root's site.
int lanes_for(const Topology& topology, Bytes window, std::optional<SiteIndex> root_site, Bytes bytes) {
  int most = 1;
  if (window == 0 || bytes <= window) return most;
  for (SiteIndex from = 0; from < topology.layout.sites(); ++from)
    for (SiteIndex to = 0; to < topology.layout.sites(); ++to)
      if (from != to && (!root_site || from == root_site || to == root_site))
        most = std::max(most, connections(topology, window, from, to, bytes));
  return most;
}

bool is_of_blocks(Collective collective) {
  return collective == Collective::allgather || collective == Collective::allgatherv ||
         collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block;
}

/// Units of the longest message between two sites.
Count longest_of(const Layout& layout, const Call& call, std::span<const Shard> shards) {
  if (!is_of_blocks(call.collective)) return std::ranges::max(shards, {}, &Shard::length).length;
  Count longest = 0;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    longest = std::max(longest, blocks_of(layout, call, site));
  return longest;
}

std::optional<SiteIndex> root_site_of(const Topology& topology, const Call& call,
                                      std::span<const Shard> shards) {
  const bool is_rooted = traits(call.collective).rooted && shards.size() == 1;
  return is_rooted ? std::optional(topology.layout.site_of(call.root)) : std::nullopt;
}

}  // namespace

int largest_site(const Layout& layout) {
  int largest = 1;
  for (SiteIndex site = 0; site < layout.sites(); ++site) largest = std::max(largest, ranks_of(layout, site));
  return largest;
}

int number_of_lanes(const Topology& topology, const Tuning& tuning, const Call& call,
                    std::span<const Shard> shards) {
  if (!can_have_lanes(call) || topology.layout.sites() == 1) return 1;
  const Count longest = longest_of(topology.layout, call, shards);
  const int most = static_cast<int>(std::clamp<Count>(longest, 1, largest_site(topology.layout)));
  if (tuning.lanes > 0) return std::min(tuning.lanes, most);
  // What a lane carries must be several segments to go on while more comes.
  constexpr Count kLeastSegments = 2;
  const Bytes bytes = longest * call.unit_bytes;
  const Bytes long_enough = std::max<Bytes>(1, bytes / (kLeastSegments * tuning.segment));
  const int wanted = lanes_for(topology, tuning.flow_window, root_site_of(topology, call, shards), bytes);
  return static_cast<int>(std::min<Bytes>({wanted, most, long_enough}));
}

namespace {

/// Bytes of a vector, or of the longest of the sites' blocks.
Bytes whole_of(const Topology& topology, const Call& call) {
  const Shard whole{std::nullopt, 0, call.block};
  return longest_of(topology.layout, call, {&whole, 1}) * call.unit_bytes;
}

/// What the connections between two sites carry in a round trip.
Bytes windows_between(const Topology& topology, const Tuning& tuning, SiteIndex from, SiteIndex to) {
  const int ranks = std::max(ranks_of(topology.layout, from), ranks_of(topology.layout, to));
  const int lanes = tuning.lanes > 0 ? std::min(tuning.lanes, ranks)
                                     : connections(topology, tuning.flow_window, from, to, kAnyLength);
  return lanes * tuning.flow_window;
}

/// `link` if no more than `windows` bytes are under way.
Link held_to(Link link, Nanoseconds round_trip, Bytes windows) {
  if (round_trip == 0) return link;
  const auto rate = static_cast<BytesPerSecond>(Wide{windows} * kSecond / round_trip);
  link.bandwidth_bytes_per_s = std::clamp<BytesPerSecond>(rate, 1, link.bandwidth_bytes_per_s);
  return link;
}

}  // namespace

std::optional<Network> network_of_windows(const Topology& topology, const Tuning& tuning, const Call& call) {
  const Network& network = topology.network;
  const Bytes bytes = whole_of(topology, call), window = tuning.flow_window;
  if (!can_have_lanes(call) || window == 0 || bytes <= window || network.fullest_round_trip() <= window)
    return std::nullopt;
  std::vector<Link> links;
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;
  for (SiteIndex from = 0; from < network.sites(); ++from) {
    uplinks.push_back(network.uplink(from));
    downlinks.push_back(network.downlink(from));
    for (SiteIndex to = 0; to < network.sites(); ++to) {
      const Nanoseconds round_trip = network.round_trip_ns(from, to);
      const Bytes windows = windows_between(topology, tuning, from, to);
      links.push_back(from == to || bytes <= windows ? network.link(from, to)
                                                     : held_to(network.link(from, to), round_trip, windows));
    }
  }
  return Network(network.sites(), std::move(links), std::move(uplinks), std::move(downlinks));
}

int most_lanes(const Topology& topology, const Tuning& tuning) {
  const int wanted =
      tuning.lanes > 0 ? tuning.lanes : lanes_for(topology, tuning.flow_window, std::nullopt, kAnyLength);
  return std::min(wanted, largest_site(topology.layout));
}

}  // namespace wan
