// SPDX-License-Identifier: BSD-3-Clause
// All that a Schedule of the small-message algorithms promises, in one question: a correct collective
// (check/verify.h), one inter-site latency, no datum twice into a site, between sites exactly the least
// traffic (cost/demand.h; blocks over the aggregate limit are messages of their own), between two hosts of a
// site at most one message each way. Where messages are cut into segments or shared by several lanes, units
// are compared and numbers of messages are not. What is spread over the sites, relayed or goes along a tree
// may take more latencies instead of all that, if by the simulator (check/simulate.h) it is quicker than any
// direct exchange, or windows, of which that knows nothing, hold up what is long.
#pragma once

#include <string>
#include <vector>

#include "algo/tuning.h"
#include "plan/global_call.h"

namespace wan {

/// What `schedule` does not keep of it, in words; empty: nothing.
std::vector<std::string> broken_promises(const Schedule& schedule, const GlobalCall& call,
                                         const Topology& topology, const Tuning& tuning);

}  // namespace wan
