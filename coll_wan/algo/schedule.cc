// SPDX-License-Identifier: BSD-3-Clause
#include "algo/schedule.h"

#include "algo/survey.h"

namespace wan {

namespace {

/// The call of `rank`, with the counts of those below it in its site's tree.
Call surveyed_view(const Topology& topology, const Tuning& tuning, const GlobalCall& call, Rank rank) {
  Call view = call.view(rank);
  if (!needs_survey(topology, tuning, view)) return view;
  const std::vector<Rank> ranks = plan_survey(topology, tuning, rank).ranks;
  std::vector<Count> entries;
  for (const Rank member : ranks) {
    const std::vector<Count> entry = survey_entry(call.view(member));
    entries.insert(entries.end(), entry.begin(), entry.end());
  }
  view.members = members_of(ranks, entries);
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
