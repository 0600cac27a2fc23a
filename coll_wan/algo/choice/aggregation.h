// SPDX-License-Identifier: BSD-3-Clause
// Which blocks travel through the coordinators of their sites, and what has to be known for that. Equal on
// every rank. Tested by tests/unit/algo_algorithm.cc and algo_survey.cc.
#pragma once

#include "algo/tuning.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

/// Blocks of gather(v), scatter(v), alltoall(v,w) up to this length travel through coordinators (one message
/// per pair of sites), longer ones directly from rank to rank; 0: all directly.
///
/// A coordinator of an alltoall takes and gives a block for each pair of a rank here and one elsewhere; a
/// rank that sends directly has a message for each rank elsewhere. So in sites of very many ranks all blocks
/// go directly, unless the user forces it.
Count aggregate_limit(const Topology& topology, Collective collective, const Tuning& tuning);

/// Is `call` preceded by a survey (algo/services/survey.h)? Equal on all ranks. Not where nothing can be
/// aggregated: on one site.
bool needs_survey(const Topology& topology, const Tuning& tuning, const Call& call);

}  // namespace wan
