// SPDX-License-Identifier: BSD-3-Clause
#include "algo/plan.h"

#include <algorithm>
#include <limits>

#include "algo/choice.h"
#include "algo/collectives.h"
#include "algo/halves.h"
#include "base/invariant.h"
#include "cost/machine.h"

namespace wan {

namespace {

bool is_alltoall(Collective collective) {
  return collective == Collective::alltoall || has_count_matrix(collective);
}

/// All processes of a site where each has blocks of one length for all others, or, without passing anything
/// on, for the root; else a lane's each. (Who has how much of what is gathered or scattered with counts, or
/// on its way by other sites, nobody knows.)
int senders_of(const Position& position, const Call& call, const Choice& choice) {
  const bool all = call.collective == Collective::alltoall
                       ? choice.algorithm != Algorithm::aggregate
                       : call.collective == Collective::gather && choice.algorithm == Algorithm::direct;
  const int ranks = static_cast<int>(position.ranks_of(position.site()).size());
  return all ? ranks : std::min(choice.lanes, ranks);
}

}  // namespace

Builder builder_for(const Position& position, const Call& call, const Choice& choice) {
  Builder b(unit_of(call.collective), position.me(), position.size(),
            buffer_lengths(call, position.me(), position.size()), choice.segmentation);
  const auto& of_site = position.ranks_of(position.site());
  b.set_neighbors(of_site, choice.inside_sites);
  b.set_senders(senders_of(position, call, choice));
  return b;
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

Blocks blocks_at_root(Range whole, const Call& call, Rank size) {
  if (call.collective == Collective::gatherv) return {whole, call.receive_counts};
  if (call.collective == Collective::scatterv) return {whole, call.send_counts};
  std::vector<Count> counts(static_cast<std::size_t>(size), call.block);
  if (call.is_inter()) counts[static_cast<std::size_t>(call.root)] = 0;
  return {whole, counts};
}

namespace {

/// Is a block for each rank of a site handled in less time than a message? Takes that of cost/machine.h for a
/// message. A plan for counts that differ in every call is made for every call.
bool blocks_cost_less_than_a_message(const Layout& layout, Collective collective) {
  // Measured, for the range of a block in a message: of running plans for 64 x 64 ranks; of making a
  // coordinator's for 4 x 300 ranks that all have a block for each other.
  constexpr Nanoseconds kRunning = 16, kPlanning = 61;
  const Nanoseconds block = has_count_matrix(collective) ? kRunning + kPlanning : kRunning;
  const Overheads message = Machine{}.tcp.overheads;
  std::ptrdiff_t largest = 0;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    largest = std::max(largest, std::ssize(layout.ranks_of(site)));
  return 2 * block * largest <= message.send_ns + message.receive_ns;
}

}  // namespace

Count aggregate_limit(const Layout& layout, Collective collective, const Tuning& tuning) {
  if (collective == Collective::gatherv || collective == Collective::scatterv)
    return 0;  // counts that the root alone knows
  switch (tuning.algorithms.of(collective)) {
    case Algorithm::direct:
      return 0;
    case Algorithm::aggregate:
      return std::numeric_limits<Count>::max();
    default:
      if (!is_alltoall(collective)) return tuning.aggregate_limit;
      return blocks_cost_less_than_a_message(layout, collective) ? tuning.alltoall_aggregate_limit : 0;
  }
}

namespace {

struct Planner {
  Collective collective;
  Algorithm algorithm;
  Program (*plan)(const Position&, const Call&, const Choice&);
};
constexpr Planner kPlanners[] = {
#define WAN_ALGORITHM(collective, algorithm, planner, lanes) \
  {Collective::collective, Algorithm::algorithm, planner},
#include "algo/algorithms.def"
};

const Planner& planner_for(Collective collective, Algorithm algorithm) {
  const auto found = std::ranges::find_if(kPlanners, [&](const Planner& each) {
    return each.collective == collective && each.algorithm == algorithm;
  });
  invariant(found != std::end(kPlanners), "an algorithm that the collective has not was chosen");
  return *found;
}

Position position_of(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                     const Choice& choice, Rank split) {
  return Position(topology, tuning, me,
                  traits(call.collective).rooted ? std::optional(call.root) : std::nullopt,
                  load_of(topology, topology.layout.site_of(me), call, choice), split);
}

}  // namespace

Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  return plan(topology, tuning, me, call, choose(topology, tuning, call));
}

Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
             const Choice& choice) {
  const auto halves = halves_for(topology, call);
  const Position position =
      position_of(halves ? *halves : topology, tuning, me, call, choice, halves ? call.split : 0);
  return planner_for(call.collective, choice.algorithm).plan(position, call, choice);
}

}  // namespace wan
