// SPDX-License-Identifier: BSD-3-Clause
#include "algo/schedule.h"

#include "algo/choice/aggregation.h"
#include "algo/services/survey.h"

namespace wan {

namespace {

/// The call of `rank`, with the counts of those below it in its site's tree.
Call surveyed_view(const Topology& topology, const Tuning& tuning, const GlobalCall& call, Rank rank) {
  Call view = call.view(rank);
  if (!needs_survey(topology, tuning, view)) return view;
  for (const Rank member : ranks_below(topology, tuning, rank))
    view.members.push_back(
        std::make_shared<const MemberCounts>(member_of(member, call.size, survey_entry(call.view(member)))));
  return view;
}

}  // namespace

Schedule plan_all(const Topology& topology, const Tuning& tuning, const GlobalCall& call) {
  Schedule schedule;
  for (Rank rank = 0; rank < call.size; ++rank)
    schedule.push_back(plan(topology, tuning, rank, surveyed_view(topology, tuning, call, rank)));
  return schedule;
}

}  // namespace wan
