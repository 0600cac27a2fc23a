// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/forwarding.h"

#include <utility>

namespace wan::multicast {
namespace {

Position receiver(const Entry& entry, const Destinations& destinations, Forwarder forwarder) {
  return forwarder == Forwarder::master ? entry.master : destinations.next(entry.master);
}

}  // namespace

std::vector<Branch> branches(const RoutingTable& table, int row, const Destinations& destinations,
                             Forwarder forwarder) {
  std::vector<Branch> branches;
  for (; row < table.rows(); ++row)
    for (const Entry& entry : table.entries(row)) {
      Destinations inside = destinations.within(entry.range);
      if (inside.empty()) continue;
      const Position to = receiver(entry, inside, forwarder);
      branches.push_back({to, entry.range, std::move(inside)});
    }
  return branches;
}

int row_after(const RoutingTable& table, Position from) {
  return table.common_digits(from) + 1;
}

}  // namespace wan::multicast
