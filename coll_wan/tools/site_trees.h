// SPDX-License-Identifier: BSD-3-Clause
// The tree inside each site, as the planners of a call have it in its first lane. Pure; no threads. Tested by
// tests/golden/plan_test.sh.
#pragma once

#include "algo/trees/tree.h"
#include "algo/tuning.h"
#include "plan/global_call.h"

namespace wan::tools {

Tree tree_of(const Topology& topology, const Tuning& tuning, const GlobalCall& call, SiteIndex site);

}  // namespace wan::tools
