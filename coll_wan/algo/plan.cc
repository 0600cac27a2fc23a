// SPDX-License-Identifier: BSD-3-Clause
#include "algo/plan.h"

#include <algorithm>
#include <limits>

#include "algo/collectives.h"

namespace wan {

namespace {

/// Beyond the window a segment asks its receiver first: it must be long enough to be worth that, and for as many of them as an
/// Execution has under way to fill the fullest link twice.
Bytes long_segment_of(const Position& position) {
  const Bytes filling = 2 * position.network().fullest_round_trip() / Segmentation::kMostSends;
  return std::max(8 * position.tuning().segment, filling);
}

}  // namespace

Segmentation segmentation_of(const Position& position, const Call& call) {
  const auto units = [&](Bytes bytes) { return std::max<Count>(1, bytes / call.unit_bytes); };
  return {units(position.tuning().segment), position.tuning().eager_window / call.unit_bytes, units(long_segment_of(position))};
}

Builder builder_for(const Position& position, const Call& call) {
  return Builder(unit_of(call.collective), position.me(), position.size(),
                 buffer_lengths(call, position.me(), position.size()), segmentation_of(position, call));
}

Range contribution(const Builder& b, const Call& call) {
  return call.placement == Placement::separate ? b.input() : b.output();
}

Range kept_contribution(Builder& b, const Call& call) {
  if (call.placement == Placement::separate) return b.input();
  const Range kept = b.scratch(b.output().length);
  b.copy(b.output(), kept);
  return kept;
}

namespace {

bool is_alltoall(Collective collective) { return collective == Collective::alltoall || has_count_matrix(collective); }

}  // namespace

Count aggregate_limit(Collective collective, const Tuning& tuning) {
  if (collective == Collective::gatherv || collective == Collective::scatterv) return 0;  // counts that the root alone knows
  switch (tuning.algorithms.of(collective)) {
    case Algorithm::direct: return 0;
    case Algorithm::aggregate: return std::numeric_limits<Count>::max();
    default: return is_alltoall(collective) ? tuning.alltoall_aggregate_limit : tuning.aggregate_limit;
  }
}

namespace {

using Planner = Program (*)(const Position&, const Call&);

Planner planner_for(const Call& call, const Tuning& tuning) {
  const bool is_direct = call.block > aggregate_limit(call.collective, tuning) || traits(call.collective).vector;
  switch (call.collective) {
    case Collective::barrier: return plan_barrier;
    case Collective::bcast: return plan_bcast;
    case Collective::gather:
    case Collective::gatherv: return is_direct ? plan_gather_direct : plan_gather;
    case Collective::scatter:
    case Collective::scatterv: return is_direct ? plan_scatter_direct : plan_scatter;
    case Collective::allgather:
    case Collective::allgatherv: return plan_allgather;
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw: return plan_alltoall;
    case Collective::reduce: return plan_reduce;
    case Collective::allreduce: return plan_allreduce;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: return plan_reduce_scatter;
    case Collective::scan:
    case Collective::exscan: return plan_scan;
  }
  return nullptr;
}

}  // namespace

Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  const std::optional<Rank> root = traits(call.collective).rooted ? std::optional(call.root) : std::nullopt;
  const Position position(topology, tuning, me, root);
  return planner_for(call, tuning)(position, call);
}

}  // namespace wan
