// SPDX-License-Identifier: BSD-3-Clause
// All that a Schedule promises, in one question: a correct collective (check/verify.h); to the message and
// the unit the traffic between sites that its algorithm states, and no more inter-site latencies
// (tests/support/stated_traffic.h); no datum twice into a site; where nothing is cut, between two hosts of a
// site at most one message each way; and by the simulator (check/simulate.h), with nothing but the wide area
// taking time, no longer than the algorithm may take. What has several latencies is quicker than any direct
// exchange, unless it is forced. All of that whether the algorithm is forced or not, with connections'
// windows and without. Tested by tests/property/mutants.cc.
#pragma once

#include <string>
#include <vector>

#include "algo/tuning.h"
#include "plan/global_call.h"

namespace wan {

/// What `schedule` does not keep of it, in words; empty: nothing.
std::vector<std::string> broken_promises(const Schedule& schedule, const GlobalCall& call,
                                         const Topology& topology, const Tuning& tuning);

/// Does one message each way between two hosts of a site do?
bool follows_hosts(const GlobalCall& call, const Topology& topology, const Tuning& tuning);

}  // namespace wan
