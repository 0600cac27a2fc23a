// SPDX-License-Identifier: BSD-3-Clause
// What a plan is made from: where the ranks sit and what lies between their sites.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/types.h"
#include "topo/layout.h"
#include "topo/link.h"
#include "topo/machine.h"
#include "topo/slowest_links.h"

namespace wan {

/// A Network has a link for each pair of sites. Communicators of more sites than this are left to other
/// components (process/troubles.h), and nobody looks for routes between more (cost/routes.h).
inline constexpr SiteIndex kMostSites = 256;

/// The wide-area links between the sites of a Layout, and the caps of their access links.
class Network {
 public:
  /// Equal links between all sites.
  Network(SiteIndex sites, Link link);
  /// links: sites x sites, row-major by sender; caps: one entry a site, nullopt = uncapped.
  Network(SiteIndex sites, std::vector<Link> links, std::vector<std::optional<BytesPerSecond>> uplinks,
          std::vector<std::optional<BytesPerSecond>> downlinks);

  SiteIndex sites() const { return sites_; }
  /// Are its numbers estimates, each as far off as its own noise makes it (learn/testimony.h)? Then what a
  /// plan gains from small differences between links may not be there.
  bool is_estimated() const { return is_estimated_; }
  void set_estimated() { is_estimated_ = true; }
  const Link& link(SiteIndex from, SiteIndex to) const {
    return links_[static_cast<std::size_t>(from) * static_cast<std::size_t>(sites_) +
                  static_cast<std::size_t>(to)];
  }
  std::optional<BytesPerSecond> uplink(SiteIndex site) const {
    return uplinks_[static_cast<std::size_t>(site)];
  }
  std::optional<BytesPerSecond> downlink(SiteIndex site) const {
    return downlinks_[static_cast<std::size_t>(site)];
  }
  /// Of the links from a site to the others, or to it, those that can be the slowest.
  std::span<const SiteLink> slowest_from(SiteIndex site) const {
    return slowest_from_[static_cast<std::size_t>(site)].all();
  }
  std::span<const SiteLink> slowest_to(SiteIndex site) const {
    return slowest_to_[static_cast<std::size_t>(site)].all();
  }
  /// Of the links between two sites; 0: there is one site only.
  Nanoseconds shortest_latency_ns() const { return shortest_latency_ns_; }
  /// To a site and back, of the links' latencies alone.
  Nanoseconds round_trip_ns(SiteIndex from, SiteIndex to) const {
    return link(from, to).latency_ns + link(to, from).latency_ns;
  }
  /// Bytes under way on the fullest link while an answer is awaited: the most that 2 x latency x bandwidth
  /// comes to.
  Bytes fullest_round_trip() const { return fullest_round_trip_; }

 private:
  SiteIndex sites_;
  bool is_estimated_ = false;
  Bytes fullest_round_trip_ = 0;
  Nanoseconds shortest_latency_ns_ = 0;
  std::vector<Link> links_;
  std::vector<std::optional<BytesPerSecond>> uplinks_, downlinks_;
  std::vector<SlowestLinks> slowest_from_, slowest_to_;
};

struct Topology {
  Layout layout;
  Network network;  ///< over the same sites as `layout`
  std::vector<Overheads> overheads =
      {};                ///< of each rank; empty: nobody's are stated, all have the machine's
  Machine machine = {};  ///< what its hosts are like
};

/// As `whole`, with the sites of `layout`, whose r-th rank is ranks[r] there. Between parts of one site lies
/// `inside`.
Topology part_of(const Topology& whole, Layout layout, std::span<const Rank> ranks, const Link& inside);

class SiteFile;
/// The network between the sites of `layout`, taken from `file` by site name; unknown sites get the default
/// link.
Network network_of(const Layout& layout, const SiteFile& file);

}  // namespace wan
