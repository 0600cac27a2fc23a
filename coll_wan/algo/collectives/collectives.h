// SPDX-License-Identifier: BSD-3-Clause
// The planners that plan() chooses from; each is in the file of its name. Each takes a Position (where this
// rank stands), a Call and what was chosen, and returns this rank's Program. Tested by tests/property.
#pragma once

#include "algo/choice/choice.h"
#include "algo/exchange/position.h"
#include "plan/call.h"
#include "plan/program.h"

namespace wan {

Program plan_barrier(const Position& position, const Call& call, const Choice& choice);
Program plan_bcast(const Position& position, const Call& call, const Choice& choice);
/// gather and scatter through coordinators: one message per site.
Program plan_gather(const Position& position, const Call& call, const Choice& choice);
Program plan_scatter(const Position& position, const Call& call, const Choice& choice);
/// gather(v), scatter(v): every block directly between its rank and the root (papers/004, section 3.3).
Program plan_gather_direct(const Position& position, const Call& call, const Choice& choice);
Program plan_scatter_direct(const Position& position, const Call& call, const Choice& choice);
/// gather, scatter, alltoall of long blocks, which other sites may pass on (algo/exchange/relaying.h).
Program plan_gather_relayed(const Position& position, const Call& call, const Choice& choice);
Program plan_scatter_relayed(const Position& position, const Call& call, const Choice& choice);
Program plan_alltoall_relayed(const Position& position, const Call& call, const Choice& choice);
/// allgather and allgatherv.
Program plan_allgather(const Position& position, const Call& call, const Choice& choice);
/// alltoall(v,w): each block through coordinators or directly, by its length.
Program plan_alltoall(const Position& position, const Call& call, const Choice& choice);
Program plan_reduce(const Position& position, const Call& call, const Choice& choice);
/// bcast and reduce from site to site (algo/choice/wide_tree.h).
Program plan_bcast_along_tree(const Position& position, const Call& call, const Choice& choice);
Program plan_reduce_along_tree(const Position& position, const Call& call, const Choice& choice);
Program plan_allreduce(const Position& position, const Call& call, const Choice& choice);
/// reduce_scatter and reduce_scatter_block.
Program plan_reduce_scatter(const Position& position, const Call& call, const Choice& choice);
/// scan and exscan.
Program plan_scan(const Position& position, const Call& call, const Choice& choice);
/// The same, in fixed order (cost/combining.h).
Program plan_scan_in_fixed_order(const Position& position, const Call& call, const Choice& choice);

}  // namespace wan
