// SPDX-License-Identifier: BSD-3-Clause
#include "algo/plan.h"

#include <algorithm>

#include "algo/choice/choice.h"
#include "algo/collectives/collectives.h"
#include "base/invariant.h"

namespace wan {

namespace {

struct PlannerRow {
  Collective collective;
  Algorithm algorithm;
  Planner* plan;
};
constexpr PlannerRow kPlanners[] = {
#define WAN_ALGORITHM(collective, algorithm, planner, proposer, lanes, traffic) \
  {Collective::collective, Algorithm::algorithm, planner},
#include "algo/algorithms.def"
};

Planner* planner_for(Collective collective, Algorithm algorithm) {
  const auto found = std::ranges::find_if(kPlanners, [&](const PlannerRow& row) {
    return row.collective == collective && row.algorithm == algorithm;
  });
  invariant(found != std::end(kPlanners), "an algorithm that the collective has not was chosen");
  return found->plan;
}

Position position_of(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                     const Choice& choice, Rank split) {
  return Position(topology, tuning, me,
                  traits(call.collective).rooted ? std::optional(call.root) : std::nullopt,
                  load_of(topology, topology.layout.site_of(me), call, choice.inside_sites), split);
}

}  // namespace

Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call) {
  return plan(topology, tuning, me, call, choose(topology, tuning, call));
}

Program plan(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
             const Choice& choice) {
  const auto& halves = choice.halves;
  const Position position =
      position_of(halves ? *halves : topology, tuning, me, call, choice, halves ? call.split : 0);
  return planner_for(call.collective, choice.algorithm())(position, call, choice);
}

}  // namespace wan
