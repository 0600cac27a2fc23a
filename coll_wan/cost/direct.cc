// SPDX-License-Identifier: BSD-3-Clause
#include "cost/direct.h"

#include <algorithm>

#include "cost/passage.h"

namespace wan {

namespace {

/// The root's access link carries the vector for each other site.
Nanoseconds leaving(const View& view, SiteIndex root, Bytes bytes) {
  const auto cap = view.uplink(root);
  return cap ? time_of(Wide{bytes} * (view.sites() - 1), *cap) + view.farthest(root) : 0;
}

Nanoseconds direct_from(const View& view, SiteIndex root, Bytes bytes) {
  Nanoseconds time = leaving(view, root, bytes);
  for (const auto& [site, link] : view.slowest_from(root))
    time = std::max(time, link.latency_ns + time_of(bytes, link.bandwidth_bytes_per_s));
  for (SiteIndex site = 0; site < view.sites(); ++site)
    if (const auto cap = view.downlink(site); cap && site != root)
      time = std::max(time, view.link(root, site).latency_ns + time_of(bytes, *cap));
  return time;
}

/// From each to all others, as far as links and senders' access links go.
Nanoseconds direct_from_each(const View& view, Bytes bytes) {
  Nanoseconds time = 0;
  for (SiteIndex site = 0; site < view.sites(); ++site) {
    time = std::max(time, leaving(view, site, bytes));
    for (const auto& [other, link] : view.slowest_from(site))
      time = std::max(time, link.latency_ns + std::max(time_of(bytes, link.bandwidth_bytes_per_s),
                                                       time_of(bytes, view.uplink(site))));
  }
  return time;
}

}  // namespace

Nanoseconds direct_from_one_ns(const Network& network, SiteIndex root, Bytes bytes) {
  return direct_from(View(network), root, bytes);
}

Nanoseconds direct_to_one_ns(const Network& network, SiteIndex root, Bytes bytes) {
  return direct_from(View(network, Direction::backward), root, bytes);
}

Nanoseconds direct_among_all_ns(const Network& network, Bytes bytes) {
  return std::max(direct_from_each(View(network), bytes),
                  direct_from_each(View(network, Direction::backward), bytes));
}

/// Of a site whose slowest link, whereto it may lead, is quicker than one found before, the links need not be
/// looked at.
Nanoseconds direct_in_order_ns(const Network& network, Bytes bytes) {
  const auto time_over = [&](const Link& link) {
    return link.latency_ns + time_of(bytes, link.bandwidth_bytes_per_s);
  };
  Nanoseconds time = 0;
  for (SiteIndex from = 0; from < network.sites(); ++from) {
    const auto is_slower = [&](const SiteLink& slow) { return time_over(slow.link) > time; };
    if (std::ranges::none_of(network.slowest_from(from), is_slower)) continue;
    for (SiteIndex to = from + 1; to < network.sites(); ++to)
      time = std::max(time, time_over(network.link(from, to)));
  }
  return time;
}

}  // namespace wan
