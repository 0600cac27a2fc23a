// SPDX-License-Identifier: BSD-3-Clause
#include "algo/plan.h"

#include <algorithm>
#include <limits>

#include "algo/collectives.h"
#include "algo/parts.h"
#include "algo/scan_exchange.h"

namespace wan {

namespace {

/// Beyond the window a segment asks its receiver first: it must be long enough to be worth that, and for as many of them as an
/// Execution has under way to fill the fullest link twice.
Bytes long_segment_of(const Position& position) {
  const Bytes filling = 2 * position.network().fullest_round_trip() / Segmentation::kMostSends;
  return std::max(8 * position.tuning().segment, filling);
}

Segmentation segmentation_with(const Position& position, const Call& call, Bytes segment) {
  const auto units = [&](Bytes bytes) { return std::max<Count>(1, bytes / call.unit_bytes); };
  return {units(segment), position.tuning().eager_window / call.unit_bytes, units(long_segment_of(position))};
}

}  // namespace

Segmentation segmentation_of(const Position& position, const Call& call) {
  if (is_spread(position, call)) return segmentation_of_spread(position, call);
  return segmentation_with(position, call, position.tuning().segment);
}

/// Eight segments or so to a share, if that does not make them so short that their number costs more than it gains.
Segmentation segmentation_of_spread(const Position& position, const Call& call) {
  constexpr Bytes kShortest = 2048;
  const Bytes longest = position.tuning().segment;
  const Bytes eighth = call.block * call.unit_bytes / (8 * position.layout().sites());
  return segmentation_with(position, call, std::clamp(eighth, std::min(kShortest, longest), longest));
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

Position position_of(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  return Position(topology, tuning, me, traits(call.collective).rooted ? std::optional(call.root) : std::nullopt);
}

bool is_aggregated(const Tuning& tuning, const Call& call) {
  const auto known = algorithms_of(call.collective);
  if (std::ranges::find(known, Algorithm::aggregate) == known.end()) return false;
  const Count longest = has_count_matrix(call.collective) ? 1 : call.block;  // of the matrix a part may be aggregated
  return longest <= aggregate_limit(call.collective, tuning);
}

}  // namespace

bool is_spread(const Position& position, const Call& call) {
  const auto has_owners = [](const Parts& parts) { return parts.front().owner.has_value(); };
  const auto leaves_root = [&](const Parts& parts) {
    return parts.size() > 1 || parts.front().owner != position.layout().site_of(call.root);
  };
  switch (call.collective) {
    case Collective::bcast: return leaves_root(parts_from_root(position, call));
    case Collective::reduce: return leaves_root(parts_to_root(position, call));
    case Collective::allreduce: return has_owners(parts_among_all(position, call));
    case Collective::scan:
    case Collective::exscan: return is_scan_spread(position, call);
    default: return false;
  }
}

Algorithm algorithm_for(const Topology& topology, const Tuning& tuning, const Call& call) {
  if (topology.layout.sites() == 1) return Algorithm::direct;
  if (is_aggregated(tuning, call)) return Algorithm::aggregate;
  return is_spread(position_of(topology, tuning, 0, call), call) ? Algorithm::spread : Algorithm::direct;
}

Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  return planner_for(call, tuning)(position_of(topology, tuning, me, call), call);
}

}  // namespace wan
