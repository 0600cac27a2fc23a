// SPDX-License-Identifier: BSD-3-Clause
// The groups of benchmarks of wan-micro; each registers its own.
#pragma once

namespace wan::bench {

/// layout/..., network/...: making a communicator's Topology.
void register_topologies();
/// choose/..., plan/...: a call's choice, and rank 0's Program with it.
void register_plans();
/// run/...: Programs over a transport that costs nothing.
void register_executions();

}  // namespace wan::bench
