// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives: one message along each edge of the process topology, as listed.
#pragma once

#include <vector>

#include "plan/program.h"

namespace wan {

/// One end of an edge. peer -1 (MPI_PROC_NULL): nothing moves and `data` is left as it is.
struct Edge {
  Rank peer = -1;
  Range data;
};

/// The edges of one rank, in pairing order: the k-th edge a -> b in the destinations of a is the k-th edge from a in the
/// sources of b. Distributed graph topologies list them so; for a cartesian one, list the destinations dimension by
/// dimension as (down, up) and the sources as (up, down), because what goes down arrives from above: with a period of 1
/// or 2 both are the same rank. Ranges are of the input (destinations) and the output (sources).
struct Neighborhood {
  std::vector<Edge> sources, destinations;
};

/// lengths: of input and output; scratch 0.
Program plan_neighbors(Rank me, Rank size, const BufferLengths& lengths, const Neighborhood& edges);

}  // namespace wan
