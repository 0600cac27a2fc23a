// SPDX-License-Identifier: BSD-3-Clause
// What MPI promises: what each rank's buffers hold before a collective, and what its output must hold afterwards. Written
// from the MPI standard, without a look at the algorithms.
#pragma once

#include <optional>
#include <vector>

#include "check/expression.h"
#include "plan/call.h"

namespace wan {

/// One call as all its ranks make it.
struct GlobalCall {
  Collective collective = Collective::barrier;
  Rank size = 1;
  Rank root = 0;
  OperandOrder order = OperandOrder::any;
  Count block = 0;
  /// gatherv, scatterv, allgatherv, reduce_scatter: one count a rank. alltoallv, alltoallw: size x size, row-major by sender.
  std::vector<Count> counts;
  /// Ranks that pass MPI_IN_PLACE (rooted: only the root may; alltoall: all or none); empty = none.
  std::vector<Placement> placements;

  /// What `rank` knows of it.
  Call view(Rank rank) const;
  Placement placement(Rank rank) const {
    return placements.empty() ? Placement::separate : placements[static_cast<std::size_t>(rank)];
  }
};

/// What a unit of an output must be in the end: the combination, in rank order, of unit `index` of ranks first..last
/// (one rank: that unit itself).
struct Wanted {
  Rank first = 0, last = 0;
  Count index = 0;
};

/// The buffers of one rank before the call; input[i], output[i] (kUndefined where nothing stands).
struct Contents {
  std::vector<Value> input, output;
};
Contents contents_before(const GlobalCall& call, Rank rank, Expressions& expressions);

/// Entry i: what output[i] of `rank` must be; nullopt where MPI leaves it open.
std::vector<std::optional<Wanted>> wanted_output(const GlobalCall& call, Rank rank);

}  // namespace wan
