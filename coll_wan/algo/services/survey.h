// SPDX-License-Identifier: BSD-3-Clause
// alltoallv, alltoallw: a rank knows the counts of its own blocks only, and whoever passes blocks on needs
// their lengths. Before the call itself each rank of a site gives all others a notice: which version of its
// counts the call has, and which of the latest calls it has completed. From those every rank of the site
// knows what has been told in an earlier call; the ranks tell the rest, their entries, to those above them in
// the site's tree. So counts that do not change are told once, and sparse ones in proportion to what is not
// 0. No message of a survey leaves its site. Who remembers what: process/count_memory.h. Tested by
// tests/unit/algo_survey.cc and, as part of every schedule, by tests/property.
#pragma once

#include <span>
#include <vector>

#include "algo/tuning.h"
#include "plan/call.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// A survey as one rank carries it out. Units are bytes.
struct Survey {
  Program program;
  std::vector<Rank> ranks;  ///< of which it hears, in the order of the output
};

/// Input: `bytes` of this rank. Output: those of all ranks of its site.
Survey plan_notices(const Topology& topology, const Tuning& tuning, Rank me, Count bytes);
/// Input: the entry of this rank. Output: those of it and of the ranks below it in its site's tree,
/// ascending. bytes: of the entry of each rank of its site, as Layout::ranks_of().
Survey plan_entries(const Topology& topology, const Tuning& tuning, Rank me, std::span<const Count> bytes);
/// The ranks that this one hears the entries of.
std::vector<Rank> ranks_below(const Topology& topology, const Tuning& tuning, Rank me);

/// What a rank tells of its counts: of those that are not 0, if they are few.
std::vector<Count> survey_entry(const Call& call);
/// Counts that survey_entry() begins with, at `entry`, were made of; it has that of `rank` among `size`.
MemberCounts member_of(Rank rank, Rank size, std::span<const Count> entry);

}  // namespace wan
