// SPDX-License-Identifier: BSD-3-Clause
// What an exploration found, stated as a topology file (topo/site_file.h) that coll_wan_topology accepts: of
// sites that have names already, with the measured links between them, or of sites that the exploration
// found. Pure functions; no threads. Tested by tests/unit/probe_restate.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probe/explore.h"

namespace wan::probe {

/// A label for each host: equal for hosts whose sites have equal names.
std::vector<int> labels_of(const std::vector<std::string>& site_of_host);

/// The site of each host: the name that it has already, or else one for what was found.
std::vector<std::string> sites_of_hosts(const Exploration& found, const std::vector<std::string>& host_names,
                                        const std::optional<std::vector<std::string>>& known);

/// The same measurements, as links between the sites that hosts have by name.
Exploration restated(const Exploration& found, const std::vector<std::string>& site_of_host);

/// The text of a topology file. site_of_host: the names of the sites of `found`. Sites that have no link get
/// the longest latency and the lowest bandwidth of the others.
std::string topology_text(const Exploration& found, const std::vector<std::string>& host_names,
                          const std::vector<std::string>& site_of_host);

}  // namespace wan::probe
