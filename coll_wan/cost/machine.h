// SPDX-License-Identifier: BSD-3-Clause
// What messages cost the hosts of a topology file (topo/machine.h). Plain data; no threads. Tested by
// tests/unit/cost_model.cc.
#pragma once

#include <span>
#include <vector>

#include "topo/layout.h"
#include "topo/machine.h"
#include "topo/site_file.h"
#include "topo/topology.h"

namespace wan {

/// The TCP overheads of a host: what its [[node]] entries state, and the machine's.
Overheads overheads_of(const Node& node, const Machine& machine);
/// Of each rank's host (the second label of its path), by the name that the file's [[node]] entries have it
/// under.
std::vector<Overheads> overheads_of(std::span<const Path> paths, const SiteFile& file,
                                    const Machine& machine);

}  // namespace wan
