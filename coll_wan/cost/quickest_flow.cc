// SPDX-License-Identifier: BSD-3-Clause
// Successive cheapest paths over the residual graph. A site is three vertices, entry -> core -> exit, so that
// what a relay passes on counts against its downlink and its uplink.
#include "cost/quickest_flow.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/invariant.h"
#include "cost/passage.h"

namespace wan {
namespace {

constexpr Nanoseconds kUnreached = std::numeric_limits<Nanoseconds>::max() / 4;

/// Arc 2k and arc 2k + 1 are each other's reverse.
struct Arc {
  int from, to;
  std::int64_t room;  ///< bytes per second that it can still take
  Nanoseconds cost;
};

class Residual {
 public:
  Residual(const Network& network, std::span<const SiteIndex> sources, std::span<const SiteIndex> sinks);

  struct Path {
    std::int64_t rate;
    Nanoseconds latency;
  };
  /// Saturates the cheapest path that is left; nullopt if there is none.
  std::optional<Path> augment();

 private:
  int entry(SiteIndex site) const { return 3 * site; }
  int core(SiteIndex site) const { return 3 * site + 1; }
  int exit(SiteIndex site) const { return 3 * site + 2; }
  int source() const { return 3 * sites_; }
  int sink() const { return 3 * sites_ + 1; }
  void add(int from, int to, std::int64_t rate, Nanoseconds cost);
  void add_site(const Network& network, SiteIndex site);
  void search();
  bool relax(std::size_t arc);
  template <class Visit>
  void walk_back(Visit visit) const;

  SiteIndex sites_;
  std::vector<Arc> arcs_;
  std::vector<Nanoseconds> distance_;
  std::vector<std::size_t> arrived_by_;
};

Residual::Residual(const Network& network, std::span<const SiteIndex> sources,
                   std::span<const SiteIndex> sinks)
    : sites_(network.sites()) {
  for (SiteIndex site = 0; site < sites_; ++site) add_site(network, site);
  for (SiteIndex site : sources) add(source(), core(site), kUnlimited, 0);
  for (SiteIndex site : sinks) add(core(site), sink(), kUnlimited, 0);
}

void Residual::add(int from, int to, std::int64_t rate, Nanoseconds cost) {
  arcs_.push_back({from, to, rate, cost});
  arcs_.push_back({to, from, 0, -cost});
}

void Residual::add_site(const Network& network, SiteIndex site) {
  add(entry(site), core(site), network.downlink(site).value_or(kUnlimited), 0);
  add(core(site), exit(site), network.uplink(site).value_or(kUnlimited), 0);
  for (SiteIndex other = 0; other < sites_; ++other) {
    if (other == site) continue;
    const Link& link = network.link(site, other);
    add(exit(site), entry(other), link.bandwidth_bytes_per_s, link.latency_ns);
  }
}

bool Residual::relax(std::size_t index) {
  const Arc& arc = arcs_[index];
  const Nanoseconds from = distance_[static_cast<std::size_t>(arc.from)];
  Nanoseconds& to = distance_[static_cast<std::size_t>(arc.to)];
  if (arc.room == 0 || from == kUnreached || from + arc.cost >= to) return false;
  to = from + arc.cost;
  arrived_by_[static_cast<std::size_t>(arc.to)] = index;
  return true;
}

/// Bellman-Ford: reverse arcs cost less than nothing, but no cycle does.
void Residual::search() {
  const std::size_t vertices = 3 * static_cast<std::size_t>(sites_) + 2;
  distance_.assign(vertices, kUnreached);
  arrived_by_.assign(vertices, 0);
  distance_[static_cast<std::size_t>(source())] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t arc = 0; arc < arcs_.size(); ++arc) changed |= relax(arc);
  }
}

template <class Visit>
void Residual::walk_back(Visit visit) const {
  for (int at = sink(); at != source();) {
    const std::size_t arc = arrived_by_[static_cast<std::size_t>(at)];
    visit(arc);
    at = arcs_[arc].from;
  }
}

std::optional<Residual::Path> Residual::augment() {
  search();
  const Nanoseconds latency = distance_[static_cast<std::size_t>(sink())];
  if (latency == kUnreached) return std::nullopt;
  std::int64_t rate = kUnlimited;
  walk_back([&](std::size_t arc) { rate = std::min(rate, arcs_[arc].room); });
  walk_back([&](std::size_t arc) {
    arcs_[arc].room -= rate;
    arcs_[arc ^ 1].room += rate;
  });
  return Path{rate, latency};
}

}  // namespace

Nanoseconds quickest_time(const Network& network, std::span<const SiteIndex> sources,
                          std::span<const SiteIndex> sinks, Bytes bytes) {
  invariant(!sources.empty() && !sinks.empty() && bytes >= 0, "a flow has sources, sinks and bytes");
  Residual residual(network, sources, sinks);
  Wide rate = 0;                      // of the paths so far
  Wide work = Wide{bytes} * kSecond;  // bytes, and what the paths' latencies cost them
  Wide time = std::numeric_limits<Nanoseconds>::max();
  while (const auto path = residual.augment()) {
    if (path->latency >= time) break;
    rate += path->rate;
    work += Wide{path->rate} * path->latency;
    time = work / rate;
  }
  invariant(rate > 0, "every site reaches every other");
  return static_cast<Nanoseconds>(time);
}

}  // namespace wan
