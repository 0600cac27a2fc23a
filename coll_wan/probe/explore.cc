// SPDX-License-Identifier: BSD-3-Clause
#include "probe/explore.h"

#include <algorithm>
#include <utility>

#include "probe/errands.h"

namespace wan::probe {
namespace {

/// Findings in one order, whatever the order in which they came.
void sort_by_hosts(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, {}, [](const Finding& each) { return std::pair(each.from, each.to); });
}

std::vector<Host> unreached_hosts(int hosts, const std::vector<Finding>& findings) {
  std::vector<bool> is_reached(static_cast<std::size_t>(hosts), hosts == 1);
  for (const Finding& each : findings)
    if (!each.round_trips.empty())
      is_reached[static_cast<std::size_t>(each.from)] = is_reached[static_cast<std::size_t>(each.to)] = true;
  std::vector<Host> unreached;
  for (Host host = 0; host < hosts; ++host)
    if (!is_reached[static_cast<std::size_t>(host)]) unreached.push_back(host);
  return unreached;
}

Partition sites_seen(int hosts, const std::vector<Finding>& findings) {
  return sites_of(levels_of(hosts, distances_of(findings)));
}

}  // namespace

Exploration conclude(int hosts, const std::optional<std::vector<int>>& known_sites,
                     std::vector<Finding> findings) {
  sort_by_hosts(findings);
  Exploration result;
  result.levels = levels_of(hosts, distances_of(findings));
  result.sites = known_sites ? partition_by(*known_sites) : sites_of(result.levels);
  result.links = links_between(result.sites, findings);
  result.unreached = unreached_hosts(hosts, findings);
  result.findings = std::move(findings);
  return result;
}

Exploration explore(int hosts, const std::optional<std::vector<int>>& known_sites,
                    Surroundings& surroundings) {
  std::vector<Finding> findings = surroundings.run(glances(hosts));
  sort_by_hosts(findings);
  const Partition tentative = known_sites ? partition_by(*known_sites) : sites_seen(hosts, findings);
  // Hosts that nobody has reached so far may only have come late.
  if (const auto errands = studies(tentative); !errands.empty()) {
    const auto more = surroundings.run(errands);
    findings.insert(findings.end(), more.begin(), more.end());
  }
  return conclude(hosts, known_sites, std::move(findings));
}

}  // namespace wan::probe
