// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/comparison.h"

#include <algorithm>
#include <limits>

#include "algo/choice/halves.h"
#include "cost/machine.h"
#include "plan/global_call.h"

namespace wan::bench {
namespace {

void append(Measurement& all, const Measurement& more) {
  all.times.insert(all.times.end(), more.times.begin(), more.times.end());
  all.start_lateness_ns = std::max(all.start_lateness_ns, more.start_lateness_ns);
  all.late += more.late;
  all.others = all.times.size() == more.times.size() ? more.others : std::min(all.others, more.others);
  all.wrong += more.wrong;
}

}  // namespace

Summary summarize(const Measurement& measurement) {
  return summarize(measurement.times, measurement.late, measurement.wrong);
}

std::optional<double> Comparison::in_bounds(const std::string& peer) const {
  const Summary* summary = of(peer);
  if (summary == nullptr || bound_ns == 0) return std::nullopt;
  return static_cast<double>(time_of(*summary)) / static_cast<double>(bound_ns);
}

std::optional<double> Comparison::error(const std::string& peer) const {
  const Summary* summary = of(peer);
  if (summary == nullptr || time_of(*summary) == 0 || predicted_ns == 0) return std::nullopt;
  return static_cast<double>(predicted_ns) / static_cast<double>(time_of(*summary)) - 1;
}

std::optional<double> Comparison::kept_by_others(const std::string& peer) const {
  const auto found = others.find(peer);
  if (found == others.end() || found->second == 0 || least_rate == 0) return std::nullopt;
  return static_cast<double>(found->second) / static_cast<double>(least_rate);
}

void Collection::add(const std::string& peer, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (!measurements_.contains(row.cell)) order_.push_back(row.cell);
    append(measurements_[row.cell][peer], row.measurement);
  }
}

std::vector<Comparison> Collection::comparisons(Statistic statistic) const {
  std::vector<Comparison> all;
  for (const Cell& cell : order_) {
    Comparison& comparison = all.emplace_back();
    comparison.cell = cell;
    comparison.statistic = statistic;
    for (const auto& [peer, measurement] : measurements_.at(cell)) {
      comparison.peers[peer] = summarize(measurement);
      comparison.others[peer] = measurement.others;
    }
  }
  return all;
}

Result<Topology> topology_of(const std::vector<std::string>& hosts, const SiteFile& file) {
  std::vector<Path> paths;
  for (const std::string& host : hosts) {
    const auto site = file.site_of(host, {});
    if (!site)
      return tl::unexpected(InputError{host, 0, "", "", "no site of the topology file has this host"});
    paths.push_back({file.sites()[static_cast<std::size_t>(*site)].name, host});
  }
  const Layout layout(paths);
  return Topology{layout, network_of(layout, file), overheads_of(paths, file, Machine{})};
}

Topology with_rates_divided(Topology topology, std::int64_t parts) {
  const Network& whole = topology.network;
  std::vector<Link> links;
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;
  const auto part = [parts](std::optional<BytesPerSecond> rate) {
    return rate ? std::optional(std::max<BytesPerSecond>(1, *rate / parts)) : std::nullopt;
  };
  for (SiteIndex from = 0; from < whole.sites(); ++from) {
    for (SiteIndex to = 0; to < whole.sites(); ++to) {
      links.push_back(whole.link(from, to));
      links.back().bandwidth_bytes_per_s = *part(links.back().bandwidth_bytes_per_s);
    }
    uplinks.push_back(part(whole.uplink(from)));
    downlinks.push_back(part(whole.downlink(from)));
  }
  topology.network = Network(whole.sites(), std::move(links), std::move(uplinks), std::move(downlinks));
  return topology;
}

void add_least_rate(std::vector<Comparison>& comparisons, const Network& network) {
  BytesPerSecond least = std::numeric_limits<BytesPerSecond>::max();
  for (SiteIndex from = 0; from < network.sites(); ++from)
    for (SiteIndex to = 0; to < network.sites(); ++to)
      if (from != to) least = std::min(least, network.link(from, to).bandwidth_bytes_per_s);
  for (Comparison& comparison : comparisons) comparison.least_rate = network.sites() > 1 ? least : 0;
}

void add_bounds(std::vector<Comparison>& comparisons, const Topology& topology,
                const Distribution& distribution) {
  for (Comparison& comparison : comparisons) {
    if (comparison.is_overlapped()) continue;
    const CellCall call = call_of(comparison.cell, topology.layout.size(), distribution);
    comparison.bound_ns = bound_of(restricted_to(topology, call.ranks), call.call);
  }
}

}  // namespace wan::bench
