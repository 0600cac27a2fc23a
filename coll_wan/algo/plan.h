// SPDX-License-Identifier: BSD-3-Clause
// From a call to a Program: chooses by what every rank knows (algo/choice.h) and lets the algorithm build
// this rank's steps.
//
// One file per collective. Each takes a Position (where this rank stands) and a Call and returns this rank's
// Program. Every algorithm here has at most one inter-site message on every path, brings no datum into a site
// twice (papers/004, section 2), and inside a site follows the tree of algo/tree.h. Tested by tests/property.
#pragma once

#include "algo/algorithm.h"
#include "algo/tree.h"
#include "plan/call.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// What the user may set (MCA parameters); equal on every rank.
struct Tuning {
  TreeShape tree = TreeShape::automatic;  ///< inside a site, at each level
  int radix = 8;                          ///< of the k-nomial trees, 2 or more
  Bytes aggregate_limit = 8192;  ///< blocks of gather and scatter up to this size travel via coordinators
  Bytes alltoall_aggregate_limit = 1024;  ///< blocks of alltoall(v,w)
  Bytes segment = 32768;                  ///< longest segment that long messages are cut into, 1 or more
  Bytes eager_window = 4 << 20;           ///< of a message that go without asking the receiver
  AlgorithmChoice algorithms = {};        ///< what is forced
  int lanes = 0;  ///< processes of a site that share what is long (algo/lanes.h); 0: as many as it takes
  Bytes flow_window = 0;  ///< that a TCP connection has under way at most; 0: not known, as much as there is
};

/// The Program of rank `me` for `call` on a communicator that lies as `topology` says. Some calls need a
/// survey first (algo/survey.h).
Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call);
struct Choice;
/// The same; `choice` is choose(topology, tuning, call) (algo/choice.h).
Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call, const Choice& choice);

/// Blocks of gather(v), scatter(v), alltoall(v,w) up to this length travel through coordinators (one message
/// per pair of sites), longer ones directly from rank to rank; 0: all directly.
///
/// A coordinator of an alltoall takes and gives a block for each pair of a rank here and one elsewhere; a
/// rank that sends directly has a message for each rank elsewhere. So in sites of very many ranks all blocks
/// go directly, unless the user forces it.
Count aggregate_limit(const Layout& layout, Collective collective, const Tuning& tuning);

}  // namespace wan
