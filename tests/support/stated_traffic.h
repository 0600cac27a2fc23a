// SPDX-License-Identifier: BSD-3-Clause
// What each algorithm says of itself: how many messages and units its plans send from site to site, how many
// inter-site latencies they have, and how long they take. Computed in closed form from the Choice
// (algo/choice/choice.h), without a planner or the Builder. The rows of algo/algorithms.def name the
// functions of `stated`.
#pragma once

#include "algo/choice/choice.h"
#include "check/verify.h"
#include "plan/global_call.h"

namespace wan {

/// Whose sites a call is planned for: between two groups, the groups' halves of sites (algo/choice/halves.h).
const Layout& planned_layout(const Topology& topology, const Choice& choice);

/// Between the sites of planned_layout(). choice: that of the call's plans.
TrafficMatrix stated_traffic(const GlobalCall& call, const Topology& topology, const Tuning& tuning,
                             const Choice& choice);

/// On the longest path, as the ways of algo/algorithms.def and the trees of the Choice have them.
int stated_latencies(const Choice& choice, const Layout& planned);

/// What the time may be at most where the algorithm is chosen for it, as a multiple of the lower bound
/// (cost/bounds.h) of the values that are sent; 0: no more than the slowest link needs for what is stated to
/// cross it.
int times_the_bound(Algorithm algorithm);

}  // namespace wan
