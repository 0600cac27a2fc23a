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

/// Connections that two sites can have.
int pairs_of(const Layout& layout, SiteIndex from, SiteIndex to) {
  const int here = ranks_of(layout, from), there = ranks_of(layout, to);
  return std::max({here, there, static_cast<int>(std::min<Count>(Count{here} * there, kMostPairs))});
}

/// Of the two sites that can have most.
int most_pairs(const Layout& layout) {
  int most = 1;
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < from; ++to) most = std::max(most, pairs_of(layout, from, to));
  return most;
}

/// From one site to another.
struct Crossing {
  BytesPerSecond rate = 0;
  Nanoseconds round_trip = 0;
  int pairs = 1;  ///< of ranks
};

/// Of what leaves at once after a pause each lane has little, and processes meet those of all lanes.
Bytes pairs_after_pause(const Crossing& crossing) {
  return std::min(crossing.pairs, kMostPairs);
}

Crossing crossing_of(const Topology& topology, SiteIndex from, SiteIndex to) {
  return {rate_of(topology.network, from, to), topology.network.round_trip_ns(from, to),
          pairs_of(topology.layout, from, to)};
}

/// All, or those from and to the root's site.
std::vector<Crossing> crossings_of(const Topology& topology, std::optional<SiteIndex> root_site = {}) {
  std::vector<Crossing> crossings;
  for (SiteIndex from = 0; from < topology.layout.sites(); ++from)
    for (SiteIndex to = 0; to < topology.layout.sites(); ++to)
      if (from != to && (!root_site || from == root_site || to == root_site))
        crossings.push_back(crossing_of(topology, from, to));
  return crossings;
}

/// Connections that are worth having for `bytes`, each of which has `window` under way at once: so many that
/// the link never waits for them, or that all is under way.
Bytes connections(const Crossing& crossing, Bytes window, Bytes bytes) {
  if (window == 0 || bytes <= window) return 1;
  const Bytes under_way = std::min(bytes, passed(crossing.rate, crossing.round_trip));
  return std::max<Bytes>(1, (under_way + window - 1) / window);
}

bool is_carried(Collective collective) {
  return collective == Collective::gather || collective == Collective::scatter;
}
bool is_of_blocks(Collective collective) {
  using enum Collective;
  return collective == allgather || collective == allgatherv || collective == reduce_scatter ||
         collective == reduce_scatter_block || is_carried(collective);
}

/// Units of the longest message between two sites.
Count longest_of(const Layout& layout, const Call& call, std::span<const Shard> shards) {
  if (!is_of_blocks(call.collective)) return std::ranges::max(shards, {}, &Shard::length).length;
  Count longest = 0;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    longest = std::max(longest, blocks_of(layout, call, site));
  return longest;
}

/// Units that one site may send to another before it has heard of the first of them: what is its own to pass
/// on, what is the other's, and what is nobody's.
Count sent_at_once(const Layout& layout, const Call& call, std::span<const Shard> shards) {
  if (is_of_blocks(call.collective)) return longest_of(layout, call, shards);
  Count nobodys = 0, longest = 0, second = 0;
  for (const Shard& shard : shards) {
    if (!shard.owner) {
      nobodys += shard.length;
    } else {
      second = std::max(second, std::min(longest, shard.length));
      longest = std::max(longest, shard.length);
    }
  }
  return nobodys + longest + second;
}

std::optional<SiteIndex> root_site_of(const Topology& topology, const Call& call,
                                      std::span<const Shard> shards) {
  const bool is_rooted = traits(call.collective).rooted && shards.size() == 1;
  return is_rooted ? std::optional(topology.layout.site_of(call.root)) : std::nullopt;
}

}  // namespace

int number_of_lanes(const Topology& topology, const Tuning& tuning, const Call& call,
                    std::span<const Shard> shards) {
  if (!can_have_lanes(call) || topology.layout.sites() == 1) return 1;
  // What carriers keep of a gather or scatter on its way (algo/exchange/carriers.h), all blocks at most.
  constexpr Bytes kMostCarried = 64 << 20;
  if (is_carried(call.collective) && call.block * call.unit_bytes > kMostCarried / topology.layout.size())
    return 1;
  const Count longest = longest_of(topology.layout, call, shards);
  const int most = static_cast<int>(std::clamp<Count>(longest, 1, most_pairs(topology.layout)));
  if (tuning.lanes > 0) return std::min(tuning.lanes, most);
  // What a lane of a long vector carries must be several segments to go on while more comes.
  constexpr Count kLeastSegments = 2;
  // More than so many windows after a pause take long enough for one connection to be at its full speed most
  // of the time.
  constexpr Bytes kWindowsWorthSharing = 8;
  const Bytes bytes = longest * call.unit_bytes;
  const Bytes long_enough = std::max<Bytes>(1, bytes / (kLeastSegments * tuning.segment));
  const Bytes at_once = sent_at_once(topology.layout, call, shards) * call.unit_bytes;
  Bytes lanes = 1;
  for (const Crossing& crossing : crossings_of(topology, root_site_of(topology, call, shards))) {
    lanes = std::max(lanes, std::min({connections(crossing, tuning.window_of_two(), bytes),
                                      Bytes{crossing.pairs}, long_enough}));
    const Bytes pairs = pairs_after_pause(crossing);
    if (at_once <= kWindowsWorthSharing * pairs * tuning.idle_window_of_two())
      lanes = std::max(lanes, std::min(connections(crossing, tuning.idle_window_of_two(), at_once), pairs));
  }
  return static_cast<int>(std::min<Bytes>(lanes, most));
}

namespace {

/// Bytes of a vector, or of the longest of the sites' blocks.
Bytes whole_of(const Topology& topology, const Call& call) {
  const Shard whole{std::nullopt, 0, call.block};
  return longest_of(topology.layout, call, {&whole, 1}) * call.unit_bytes;
}

/// What the connections between two sites carry in a round trip.
Bytes windows_between(const Topology& topology, const Tuning& tuning, SiteIndex from, SiteIndex to) {
  const Crossing crossing = crossing_of(topology, from, to);
  const Bytes lanes =
      tuning.lanes > 0 ? tuning.lanes : connections(crossing, tuning.window_of_two(), kAnyLength);
  return std::min<Bytes>(lanes, crossing.pairs) * tuning.window_of_two();
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
  const Bytes bytes = whole_of(topology, call), window = tuning.window_of_two();
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
  const int most = most_pairs(topology.layout);
  if (tuning.lanes > 0) return std::min(tuning.lanes, most);
  Bytes lanes = 1;
  for (const Crossing& crossing : crossings_of(topology))
    lanes = std::max(
        {lanes, std::min<Bytes>(connections(crossing, tuning.window_of_two(), kAnyLength), crossing.pairs),
         std::min(connections(crossing, tuning.idle_window_of_two(), kAnyLength),
                  pairs_after_pause(crossing))});
  return static_cast<int>(lanes);
}

bool leave_links_empty(const Topology& topology, const Tuning& tuning) {
  const auto leaves = [](const Crossing& crossing, Bytes window, Bytes pairs) {
    // What is missing of less comes within a part of a round trip.
    return window > 0 && passed(crossing.rate, crossing.round_trip) > pairs * window * 3 / 2;
  };
  return std::ranges::any_of(crossings_of(topology), [&](const Crossing& crossing) {
    return leaves(crossing, tuning.idle_window, pairs_after_pause(crossing)) ||
           leaves(crossing, tuning.flow_window, crossing.pairs);
  });
}

}  // namespace wan
