// SPDX-License-Identifier: BSD-3-Clause
// What wanctl plan prints of one call: the trees, the Programs, the verifier's verdict, what crosses the wide
// area, when it would be done. Tested by tests/golden/plan_test.sh.
#pragma once

#include <optional>
#include <string>

#include "algo/tuning.h"
#include "check/simulate.h"
#include "check/verify.h"
#include "plan/global_call.h"

namespace wan::tools {

/// The tree of each site, a line a rank.
std::string tree_text(const Topology& topology, const Tuning& tuning, const GlobalCall& call);

/// "correct: ..." or the defects, a line each.
std::string verdict_text(const Verdict& verdict);

/// A line for each pair of sites: messages and units, and the least that there can be.
std::string traffic_text(const Verdict& verdict, const GlobalCall& call, const Layout& layout);

/// Completion time against the bound, and a line for each link between sites and each access link that
/// carried anything.
std::string simulation_text(const Simulation& simulation, Nanoseconds bound_ns, const Layout& layout);

}  // namespace wan::tools
