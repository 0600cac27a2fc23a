// SPDX-License-Identifier: BSD-3-Clause
// From a call to a Program: chooses the algorithm by what every rank knows and lets it build this rank's steps.
#pragma once

#include "plan/call.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// What the user may set (MCA parameters); equal on every rank.
struct Tuning {
  int radix = 8;               ///< of the k-nomial trees inside a site, 2 or more
  Bytes aggregate_limit = 8192;  ///< blocks of gather, scatter, alltoall up to this size travel through coordinators
};

/// The Program of rank `me` for `call` on a communicator that lies as `topology` says.
Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call);

}  // namespace wan
