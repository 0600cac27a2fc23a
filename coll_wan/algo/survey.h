// SPDX-License-Identifier: BSD-3-Clause
// alltoallv, alltoallw: a rank knows the counts of its own blocks only. Before the call itself, the ranks of
// a site tell them to those above them in the site's tree, so that whoever passes blocks on knows their
// lengths. No message of a survey leaves its site. Tested by tests/unit/algo_survey.cc and, as part of every
// schedule, by tests/property.
#pragma once

#include <span>
#include <vector>

#include "algo/plan.h"

namespace wan {

/// Is `call` preceded by a survey? Equal on all ranks. Not where nothing can be aggregated: on one site.
bool needs_survey(const Topology& topology, const Tuning& tuning, const Call& call);

/// The survey of one rank.
struct Survey {
  /// Input: survey_entry() of this rank. Output: those of `ranks`, in that order. Units are bytes.
  Program program;
  std::vector<Rank> ranks;  ///< this rank and those below it in its site's tree, ascending
};
Survey plan_survey(const Topology& topology, const Tuning& tuning, Rank me);

/// What a rank tells: its send counts, then its receive counts (one for each rank).
std::vector<Count> survey_entry(const Call& call);
/// What Call::members must hold, from the entries of `ranks`.
std::vector<MemberCounts> members_of(std::span<const Rank> ranks, std::span<const Count> entries);

}  // namespace wan
