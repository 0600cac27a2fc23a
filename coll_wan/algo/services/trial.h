// SPDX-License-Identifier: BSD-3-Clause
// A trial of a link that plans avoid (learn/trials.h): one process sends another a few messages over it, each
// when the one before has been received, so that the sender sees how long each takes. Tested by
// tests/unit/algo_trial.cc.
#pragma once

#include "algo/tuning.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

struct TrialMessages {
  Rank from, to;
  Count length;  ///< bytes of each
  int number;
};

/// The part of `me`, which is one of the two. Units are bytes: the input of the sender, the output of the
/// receiver is as long as one message.
Program plan_trial(const Topology& topology, const Tuning& tuning, Rank me, const TrialMessages& messages);

}  // namespace wan
