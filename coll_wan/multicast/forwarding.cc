// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/forwarding.h"

#include <utility>

namespace wan::multicast {
namespace {

Position receiver(const Entry& entry, const Destinations& destinations, Forwarder forwarder) {
  return forwarder == Forwarder::master ? entry.master : destinations.next(entry.master);
}

/// On other hosts, from this process on, and then from the first of the site.
std::vector<Position> in_turn(const RoutingTable& table, const Destinations& destinations) {
  const Range &site = table.site(), &host = table.host();
  auto order = destinations.within({host.end, site.end}).positions();
  const auto lesser = destinations.within({site.begin, host.begin}).positions();
  order.insert(order.end(), lesser.begin(), lesser.end());
  return order;
}

void add_chain(std::vector<Branch>& branches, const RoutingTable& table, const Destinations& destinations,
               const Inside& inside) {
  const auto order = in_turn(table, destinations);
  const auto parts = static_cast<std::size_t>(inside.children);
  const auto border = [&](std::size_t part) {
    return order.begin() + static_cast<std::ptrdiff_t>(order.size() * part / parts);
  };
  for (std::size_t part = 0; part < parts; ++part) {
    if (border(part) == border(part + 1)) continue;
    const Position to = *border(part);
    const Leg leg = inside.leg == Leg::wrapped || to < table.self() ? Leg::wrapped : Leg::chain;
    branches.push_back({to, table.site(), Destinations({border(part), border(part + 1)}), leg});
  }
}

}  // namespace

std::vector<Branch> branches(const RoutingTable& table, int row, const Destinations& destinations,
                             Forwarder forwarder, const Inside& inside) {
  std::vector<Branch> branches;
  const bool has_chain = inside.children > 0 && (inside.leg != Leg::table || row < table.host_row());
  for (; row < table.rows(); ++row) {
    // Parts of a chain may share a host: a master of one may be a destination of another.
    if (inside.children > 0 && row >= table.host_row()) forwarder = Forwarder::destination;
    if (has_chain && row < table.host_row() && table.site().contains(table.range(row))) continue;
    for (const Entry& entry : table.entries(row)) {
      Destinations there = destinations.within(entry.range);
      if (there.empty()) continue;
      const Position to = receiver(entry, there, forwarder);
      branches.push_back({to, entry.range, std::move(there)});
    }
  }
  if (has_chain) add_chain(branches, table, destinations, inside);
  return branches;
}

int row_after(const RoutingTable& table, Position from) {
  return table.common_digits(from) + 1;
}

}  // namespace wan::multicast
