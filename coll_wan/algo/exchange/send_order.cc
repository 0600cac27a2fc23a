// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/send_order.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "cost/model.h"

namespace wan {

std::vector<std::vector<Rank>> in_descending_order(std::vector<Sending> sendings) {
  const auto key = [](const Sending& each) { return std::pair(each.load, each.remaining_ns); };
  std::ranges::stable_sort(sendings, std::greater{}, key);
  std::vector<std::vector<Rank>> groups;
  for (std::size_t i = 0; i < sendings.size(); ++i) {
    if (i == 0 || key(sendings[i]) != key(sendings[i - 1])) groups.emplace_back();
    groups.back().push_back(sendings[i].to);
  }
  return groups;
}

Nanoseconds time_on_the_way_ns(const Topology& topology, Rank from, Rank to, Bytes bytes) {
  const SiteIndex here = topology.layout.site_of(from), there = topology.layout.site_of(to);
  if (here == there) return 0;
  const Link& link = topology.network.link(here, there);
  return link.latency_ns + time_of(bytes, link.bandwidth_bytes_per_s);
}

Nanoseconds remaining_path_ns(const Topology& topology, Rank from, Rank to, Bytes bytes, Rank sends) {
  const Overheads receiver = topology.overheads.empty() ? topology.machine.tcp.overheads
                                                        : topology.overheads[static_cast<std::size_t>(to)];
  return time_on_the_way_ns(topology, from, to, bytes) + sends * receiver.send_ns;
}

}  // namespace wan
