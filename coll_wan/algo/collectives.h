// SPDX-License-Identifier: BSD-3-Clause
// The planners that plan() chooses from; each is in the file of its name.
#pragma once

#include "algo/position.h"
#include "plan/builder.h"
#include "plan/call.h"

namespace wan {

/// How long messages of `call` are cut: equal on every rank. Of a vector that is spread, several segments make a share, as
/// an owner passes on what it has got.
Segmentation segmentation_of(const Position& position, const Call& call);
Segmentation segmentation_of_spread(const Position& position, const Call& call);
/// Is the call's vector spread over the sites (algo/parts.h)?
bool is_spread(const Position& position, const Call& call);
/// A Builder for this rank's Program of `call`.
Builder builder_for(const Position& position, const Call& call);

/// This rank's contribution, where the user put it: in the input or, with MPI_IN_PLACE, the output.
Range contribution(const Builder& b, const Call& call);
/// The same, moved to scratch if it stands in the output, for a rank that writes its result there.
Range kept_contribution(Builder& b, const Call& call);

Program plan_barrier(const Position& position, const Call& call);
Program plan_bcast(const Position& position, const Call& call);
/// gather and scatter through coordinators: one message per site.
Program plan_gather(const Position& position, const Call& call);
Program plan_scatter(const Position& position, const Call& call);
/// gather(v), scatter(v): every block directly between its rank and the root (papers/004, section 3.3).
Program plan_gather_direct(const Position& position, const Call& call);
Program plan_scatter_direct(const Position& position, const Call& call);
/// allgather and allgatherv.
Program plan_allgather(const Position& position, const Call& call);
/// alltoall(v,w): each block through coordinators or directly, by its length.
Program plan_alltoall(const Position& position, const Call& call);
Program plan_reduce(const Position& position, const Call& call);
Program plan_allreduce(const Position& position, const Call& call);
/// reduce_scatter and reduce_scatter_block.
Program plan_reduce_scatter(const Position& position, const Call& call);
/// scan and exscan.
Program plan_scan(const Position& position, const Call& call);

}  // namespace wan
