// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/promise.h"

#include <algorithm>
#include <array>
#include <set>

#include "algo/choice/aggregation.h"
#include "algo/choice/choice.h"
#include "algo/choice/lane_choice.h"
#include "check/simulate.h"
#include "check/verify.h"
#include "cost/routes.h"
#include "tests/support/free_machine.h"

namespace wan {
namespace {

constexpr Count kAllBlocks = 8192;  ///< a limit that no block of the tests exceeds

bool moves_blocks(Collective collective) {
  switch (collective) {
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return true;
    default:
      return false;
  }
}

/// Between sites, if a block longer than `limit` is a message of its own, and all others of a pair of sites
/// are one.
TrafficMatrix block_traffic(const GlobalCall& call, const Layout& layout, Count limit) {
  TrafficMatrix traffic;
  std::set<std::pair<SiteIndex, SiteIndex>> aggregated;
  const bool from_root = call.collective == Collective::scatter || call.collective == Collective::scatterv;
  const bool to_root = call.collective == Collective::gather || call.collective == Collective::gatherv;
  for (Rank from = 0; from < call.size; ++from)
    for (Rank to = 0; to < call.size; ++to) {
      if ((from_root && from != call.root) || (to_root && to != call.root)) continue;
      const Count units = call.block_between(from, to);
      if (layout.site_of(from) == layout.site_of(to) || units == 0) continue;
      const std::pair sites(layout.site_of(from), layout.site_of(to));
      Traffic& between = traffic[sites];
      if (units > limit || aggregated.insert(sites).second) ++between.messages;
      between.units += units;
    }
  return traffic;
}

/// Between groups that do not know each other's counts, whole vectors.
GlobalCall without_counts_of_others(GlobalCall call) {
  if (call.split == 0 || call.collective != Collective::reduce_scatter) return call;
  call.collective = Collective::allreduce;
  for (Rank rank = 0; rank < call.split; ++rank) call.block += call.counts[static_cast<std::size_t>(rank)];
  return call;
}

TrafficMatrix least_traffic(const GlobalCall& given, const Layout& layout) {
  const GlobalCall call = without_counts_of_others(given);
  const Demand demand = demand_of(layout, call);
  TrafficMatrix traffic;
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      if (const PairTraffic& least = demand.traffic.at(from, to); least.messages > 0)
        traffic[{from, to}] = {least.messages, least.bytes};
  return traffic;
}

/// Without the number of messages, which depends on how they are cut.
TrafficMatrix units_of(TrafficMatrix traffic) {
  for (auto& [pair, sum] : traffic) sum.messages = 0;
  return traffic;
}

std::string text_of(const TrafficMatrix& traffic) {
  std::string text;
  for (const auto& [pair, sum] : traffic)
    text += " " + std::to_string(pair.first) + ">" + std::to_string(pair.second) + ": " +
            std::to_string(sum.messages) + " messages " + std::to_string(sum.units) + " units";
  return text;
}

bool is_one_of(Algorithm algorithm, std::span<const Algorithm> algorithms) {
  return std::ranges::find(algorithms, algorithm) != algorithms.end();
}

/// Latencies that the algorithms of a collective may take, at most.
int most_latencies(Collective collective, SiteIndex sites) {
  int most = 1;
  for (const AlgorithmTraits& row : rows_of(collective)) {
    const int of_row = row.latencies == MostLatencies::one    ? 1
                       : row.latencies == MostLatencies::two  ? 2
                       : row.latencies == MostLatencies::hops ? kRouteHops
                                                              : sites - 1;
    most = std::max(most, of_row);
  }
  return most;
}

/// With nothing but the wide area costing anything.
Nanoseconds time_of(const Schedule& schedule, const GlobalCall& call, const Topology& topology) {
  return simulate(schedule, Model(topology, free_machine()), call.unit_bytes).end;
}

/// What the least traffic of one latency takes at least.
Nanoseconds direct_time_of(const GlobalCall& call, const Topology& topology) {
  const Demand demand = demand_of(topology.layout, call);
  Nanoseconds time = 0;
  for (SiteIndex from = 0; from < topology.layout.sites(); ++from)
    for (SiteIndex to = 0; to < topology.layout.sites(); ++to)
      if (const PairTraffic& least = demand.traffic.at(from, to); least.messages > 0) {
        const Link& link = topology.network.link(from, to);
        time = std::max(time, link.latency_ns +
                                  transmission_ns(least.bytes * call.unit_bytes, link.bandwidth_bytes_per_s));
      }
  return time;
}

/// What is divided by itself of all that one site sends to another.
Count divided(const GlobalCall& call, const Layout& layout, SiteIndex from, SiteIndex to) {
  const auto ranks = [&](SiteIndex site) { return std::ssize(layout.ranks_of(site)); };
  switch (call.collective) {
    case Collective::gather:
      return ranks(from);
    case Collective::scatter:
      return ranks(to);
    case Collective::alltoall:
      return ranks(from) * ranks(to);
    default:
      return 1;
  }
}

/// Shares are whole units: on either of its ways a share of a block, or of what a lane carries, may be one
/// too long.
Nanoseconds rounding_of(const GlobalCall& call, const Topology& topology, int lanes) {
  Nanoseconds longest = 0;
  for (SiteIndex from = 0; from < topology.layout.sites(); ++from)
    for (SiteIndex to = 0; to < topology.layout.sites(); ++to)
      if (from != to)
        longest = std::max(longest,
                           transmission_ns(divided(call, topology.layout, from, to) * lanes * call.unit_bytes,
                                           topology.network.link(from, to).bandwidth_bytes_per_s));
  return 2 * longest;
}

/// A choice is made by an estimate, and a tree may have spared overheads: now and then it is no quicker than
/// directly, by so much.
Nanoseconds misjudged(const GlobalCall& call, const Topology& topology) {
  return direct_time_of(call, topology) / 10;
}

}  // namespace

std::vector<std::string> broken_promises(const Schedule& schedule, const GlobalCall& call,
                                         const Topology& topology, const Tuning& tuning) {
  const Layout& layout = topology.layout;
  const Verdict verdict = verify(schedule, call, layout);
  std::vector<std::string> broken = verdict.defects;
  if (verdict.latencies > 1 && verdict.latencies <= most_latencies(call.collective, layout.sites())) {
    const bool is_forced =
        is_one_of(tuning.algorithms.of(call.collective), std::array{Algorithm::spread, Algorithm::tree});
    const int lanes = choose(topology, tuning, call.view(0)).lanes;
    const Nanoseconds direct =
        direct_time_of(call, topology) + rounding_of(call, topology, lanes) + misjudged(call, topology);
    const bool is_held_up = network_of_windows(topology, tuning, call.view(0)).has_value();
    if (!is_forced && !is_held_up && time_of(schedule, call, topology) >= direct)
      broken.push_back("another latency for nothing");
    return broken;
  }
  if (verdict.latencies > 1) broken.push_back(std::to_string(verdict.latencies) + " inter-site latencies");
  if (verdict.repeated_units > 0) broken.push_back("a datum enters a site twice");
  const Count limit = aggregate_limit(layout, call.collective, tuning);
  const bool is_aggregated = !moves_blocks(call.collective) || limit >= kAllBlocks;
  const TrafficMatrix expected =
      is_aggregated ? least_traffic(call, layout) : block_traffic(call, layout, limit);
  const bool follows_hosts =
      is_aggregated && call.split == 0 && (layout.sites() > 1 || !has_count_matrix(call.collective));
  const bool goes_one_by_one = call.split > 0 && call.collective == Collective::allgatherv;
  const bool is_cut =
      goes_one_by_one || tuning.segment < kAllBlocks || choose(topology, tuning, call.view(0)).lanes > 1;
  if (is_cut ? units_of(verdict.between_sites) != units_of(expected) : verdict.between_sites != expected)
    broken.push_back("between sites:" + text_of(verdict.between_sites) + "; least:" + text_of(expected));
  for (const auto& [hosts, sum] : verdict.between_hosts)
    if (follows_hosts && !is_cut && sum.messages > 1)
      broken.push_back("between hosts: " + std::to_string(sum.messages) + " messages " +
                       std::to_string(hosts.first) + ">" + std::to_string(hosts.second));
  return broken;
}

}  // namespace wan
