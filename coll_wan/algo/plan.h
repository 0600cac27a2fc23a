// SPDX-License-Identifier: BSD-3-Clause
// From a call to a Program: chooses by what every rank knows (algo/choice/choice.h) and lets the algorithm
// build this rank's steps (algo/collectives/collectives.h). Tested by tests/property.
#pragma once

#include "algo/tuning.h"
#include "plan/call.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// The Program of rank `me` for `call` on a communicator that lies as `topology` says. Some calls need a
/// survey first (algo/services/survey.h).
Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call);
struct Choice;
/// The same; `choice` is choose(topology, tuning, call) (algo/choice/choice.h).
Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call, const Choice& choice);

}  // namespace wan
