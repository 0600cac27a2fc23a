// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/aggregation.h"

#include <algorithm>
#include <limits>

#include "algo/choice/proposal.h"

namespace wan {

namespace {

bool is_alltoall(Collective collective) {
  return collective == Collective::alltoall || has_count_matrix(collective);
}

/// Is a block for each rank of a site handled in less time than a message? A plan for counts that differ in
/// every call is made for every call.
bool blocks_cost_less_than_a_message(const Topology& topology, Collective collective) {
  // Measured, for the range of a block in a message: of running plans for 64 x 64 ranks; of making a
  // coordinator's for 4 x 300 ranks that all have a block for each other.
  constexpr Nanoseconds kRunning = 16, kPlanning = 61;
  const Nanoseconds block = has_count_matrix(collective) ? kRunning + kPlanning : kRunning;
  const Overheads message = topology.machine.tcp.overheads;
  const Layout& layout = topology.layout;
  std::ptrdiff_t largest = 0;
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    largest = std::max(largest, std::ssize(layout.ranks_of(site)));
  return 2 * block * largest <= message.send_ns + message.receive_ns;
}

}  // namespace

Count aggregate_limit(const Topology& topology, Collective collective, const Tuning& tuning) {
  if (collective == Collective::gatherv || collective == Collective::scatterv)
    return 0;  // counts that the root alone knows
  switch (tuning.algorithms.of(collective)) {
    case Algorithm::direct:
      return 0;
    case Algorithm::aggregate:
      return std::numeric_limits<Count>::max();
    default:
      if (!is_alltoall(collective)) return tuning.aggregate_limit;
      return blocks_cost_less_than_a_message(topology, collective) ? tuning.alltoall_aggregate_limit : 0;
  }
}

bool needs_survey(const Topology& topology, const Tuning& tuning, const Call& call) {
  return has_count_matrix(call.collective) && topology.layout.sites() > 1 &&
         aggregate_limit(topology, call.collective, tuning) > 0;
}

std::optional<Proposal> propose_aggregate(const Question& question) {
  const auto& [topology, tuning, call, is_forced, below_ns] = question;
  const bool is_short = has_count_matrix(call.collective)
                            ? needs_survey(topology, tuning, call)
                            : call.block <= aggregate_limit(topology, call.collective, tuning);
  return is_short ? std::optional(Proposal{AggregateWay{}}) : std::nullopt;
}

}  // namespace wan
