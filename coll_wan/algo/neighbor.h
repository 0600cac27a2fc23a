// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives: one message along each edge of the process topology, from this rank to those first whose message is
// followed by most (algo/send_order.h), cut into segments as those of other collectives.
// Tested by tests/unit/algo_neighbor.cc.
#pragma once

#include <vector>

#include "algo/plan.h"
#include "algo/survey.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// One end of an edge. peer -1 (MPI_PROC_NULL): nothing moves and `data` is left as it is.
struct Edge {
  Rank peer = -1;
  Range data;
  Rank sends = 0;  ///< of a destination: how many other ranks it sends to, where that is known
  Count load = 0;  ///< of a destination: what it has to do afterwards, where it has said so
};

/// The edges of one rank, in pairing order: the k-th edge a -> b in the destinations of a is the k-th edge from a in the
/// sources of b. Distributed graph topologies list them so; for a cartesian one, list the destinations dimension by
/// dimension as (down, up) and the sources as (up, down), because what goes down arrives from above: with a period of 1
/// or 2 both are the same rank. Ranges are of the input (destinations) and the output (sources).
struct Neighborhood {
  std::vector<Edge> sources, destinations;
};

/// lengths: of input and output; scratch 0.
Program plan_neighbors(const Topology& topology, const Tuning& tuning, Rank me, const BufferLengths& lengths, const Neighborhood& edges);

/// Against the direction of the edges: every rank tells those whose messages it receives what it has to do afterwards. Input: a Count;
/// output: a Count of each of `ranks`, which are those that `me` sends to.
Survey plan_load_survey(Rank me, Rank size, const Neighborhood& edges);

}  // namespace wan
