// SPDX-License-Identifier: BSD-3-Clause
// The plan of a call as JSON: what plan_report.h prints, for programs. Tested by tests/wanctl/plan_test.sh.
#pragma once

#include <optional>

#include "algo/tuning.h"
#include "check/simulate.h"
#include "check/verify.h"
#include "plan/global_call.h"
#include "tools/json.h"

namespace wan::tools {

/// Collective, sizes, algorithm, and the ranks of each site.
Json call_json(const Topology& topology, const Tuning& tuning, const GlobalCall& call);
/// Of each site, the parent of each rank but the root.
Json trees_json(const Topology& topology, const Tuning& tuning, const GlobalCall& call);
/// The steps of each rank, or of one.
Json programs_json(const Schedule& schedule, std::optional<Rank> only);
Json verdict_json(const Verdict& verdict);
Json traffic_json(const Verdict& verdict, const GlobalCall& call, const Layout& layout);
Json simulation_json(const Simulation& simulation, const Layout& layout);

}  // namespace wan::tools
