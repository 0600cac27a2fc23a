// SPDX-License-Identifier: BSD-3-Clause
// The groups of benchmarks of wan-micro; each registers its own.
#pragma once

namespace wan::bench {

/// layout/..., network/...: making a communicator's Topology.
void register_topologies();
/// choose/..., plan/...: a call's choice, and rank 0's Program with it.
void register_plans();
/// plan/alltoallv/...: with counts that differ from rank to rank.
void register_counts();
/// run/...: Programs over a transport that costs nothing.
void register_executions();

/// A benchmark took longer than it may: wan-micro ends with status 1.
void note_missed_goal();

}  // namespace wan::bench
