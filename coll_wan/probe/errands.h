// SPDX-License-Identifier: BSD-3-Clause
// Who measures to whom. Two rounds: glances along a ring's chords and to the first host, of which every host
// knows its own without asking; then one study for each pair of groups. Both are O(hosts log hosts). Pure
// functions; no threads. Tested by tests/unit/probe_errands.cc.
#pragma once

#include <vector>

#include "probe/clusters.h"
#include "probe/measurement.h"

namespace wan::probe {

/// Each host glances at the hosts 1, 2, 4, ... places further on, and at the first host. Hosts that stand
/// together in the list are probably neighbours.
std::vector<Errand> glances(int hosts);

/// One study for each pair of groups, between different hosts of a group in turn. Where those are too many,
/// for each group and each of a few groups that serve as landmarks.
std::vector<Errand> studies(const Partition& groups);

/// So many studies at most.
std::size_t most_studies(int hosts);

}  // namespace wan::probe
