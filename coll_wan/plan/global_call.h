// SPDX-License-Identifier: BSD-3-Clause
// One collective call as all its ranks make it: what no single rank need know, and what its result, its bound
// and its least traffic follow from. Only checks, tests and tools ever hold one. Tested by
// tests/unit/plan_global_call.cc.
#pragma once

#include <optional>
#include <vector>

#include "cost/bounds.h"
#include "cost/demand.h"
#include "plan/call.h"

namespace wan {

struct GlobalCall {
  Collective collective = Collective::barrier;
  Rank size = 1;
  Rank root = 0;
  OperandOrder order = OperandOrder::any;
  Count block = 0;  ///< as Call::block; the vector forms have `counts`
  /// gatherv, scatterv, allgatherv, reduce_scatter: one count a rank. alltoallv, alltoallw: size x size,
  /// row-major by sender.
  std::vector<Count> counts;
  /// Ranks that pass MPI_IN_PLACE (rooted: only the root may; alltoall: all or none); empty = none.
  std::vector<Placement> placements;
  Bytes unit_bytes = 1;           ///< as Call::unit_bytes
  Rank split = 0;                 ///< as Call::split; nobody's buffers in place then
  Count back = 0;                 ///< as Call::back
  std::vector<Count> loads = {};  ///< as Call::loads; all ranks have been told

  /// What `rank` knows of it.
  Call view(Rank rank) const;
  Placement placement(Rank rank) const {
    return placements.empty() ? Placement::separate : placements[static_cast<std::size_t>(rank)];
  }
  /// The ranks whose data those of `rank` are combined with, or that it gets.
  RankInterval partners(Rank rank) const { return partners_of(rank, split, size); }
  /// Units of the block that goes from `source` to `destination`, in collectives that cut their data into
  /// blocks (of a rooted one: if one of the two is the root).
  Count block_between(Rank source, Rank destination) const;
};

/// What `call` asks of the wide area between the sites of `layout`; the Demand's bytes are the call's units.
Demand demand_of(const Layout& layout, const GlobalCall& call);

/// The least time of the call on these links.
Nanoseconds bound_of(const Topology& topology, const GlobalCall& call);

/// The call as rank `me` knows it, nobody's buffers in place; nullopt if it does not know all counts, as in
/// alltoallv(w), and in gatherv and scatterv but at the root.
std::optional<GlobalCall> known_call(const Call& call, Rank me, Rank size);

}  // namespace wan
