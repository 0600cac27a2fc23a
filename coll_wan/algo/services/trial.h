// SPDX-License-Identifier: BSD-3-Clause
// A message of a trial of a link that plans avoid (learn/trials.h): one process sends it to another over that
// link, and that answers when it has all of it, so that the sender knows how long it took. Tested by
// tests/unit/algo_trial.cc.
#pragma once

#include "algo/tuning.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

struct TrialMessage {
  Rank from, to;
  Count length;  ///< in bytes
};

/// The part of `me`, which is one of the two. Units are bytes: the input of the sender, the output of the
/// receiver is as long as the message.
Program plan_trial(const Topology& topology, const Tuning& tuning, Rank me, const TrialMessage& message);

}  // namespace wan
