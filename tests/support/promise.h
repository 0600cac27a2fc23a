// SPDX-License-Identifier: BSD-3-Clause
// All that a Schedule of the small-message algorithms promises, in one question: a correct collective (check/verify.h), one
// inter-site latency, no datum twice into a site, between sites exactly the least traffic (cost/demand.h; where blocks go
// directly, one message for each pair of ranks), between two hosts of a site at most one message each way.
#pragma once

#include <string>
#include <vector>

#include "algo/plan.h"
#include "plan/global_call.h"

namespace wan {

/// What `schedule` does not keep of it, in words; empty: nothing.
std::vector<std::string> broken_promises(const Schedule& schedule, const GlobalCall& call, const Layout& layout,
                                         const Tuning& tuning);

/// Does each block of the call go as a message of its own?
bool sends_each_block_directly(const GlobalCall& call, const Tuning& tuning);

}  // namespace wan
