// SPDX-License-Identifier: BSD-3-Clause
// A network seen from where the bytes come from, or from where they go: what spreads a vector or finds a way
// for it works for its mirror image, from all sites to one, on the same links turned round. Tested by
// tests/unit/cost_network_view.cc.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "topo/topology.h"

namespace wan {

enum class Direction : std::uint8_t { forward, backward };

/// A network, or the same with all traffic turned round.
class View {
 public:
  explicit View(const Network& network, Direction direction = Direction::forward)
      : network_(network), direction_(direction) {}

  SiteIndex sites() const { return network_.sites(); }
  bool is_estimated() const { return network_.is_estimated(); }
  const Link& link(SiteIndex from, SiteIndex to) const {
    return is_forward() ? network_.link(from, to) : network_.link(to, from);
  }
  std::span<const SiteLink> slowest_from(SiteIndex site) const {
    return is_forward() ? network_.slowest_from(site) : network_.slowest_to(site);
  }
  std::optional<BytesPerSecond> uplink(SiteIndex site) const {
    return is_forward() ? network_.uplink(site) : network_.downlink(site);
  }
  std::optional<BytesPerSecond> downlink(SiteIndex site) const {
    return is_forward() ? network_.downlink(site) : network_.uplink(site);
  }
  /// Longest latency from a site to another.
  Nanoseconds farthest(SiteIndex from) const {
    Nanoseconds longest = 0;
    for (const SiteLink& slow : slowest_from(from)) longest = std::max(longest, slow.link.latency_ns);
    return longest;
  }

 private:
  bool is_forward() const { return direction_ == Direction::forward; }

  const Network& network_;
  Direction direction_;
};

}  // namespace wan
