// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/call_builder.h"

#include <algorithm>

#include "algo/exchange/carriers.h"

namespace wan {

namespace {

/// All processes of a site where each has blocks of one length for all others, or, without passing anything
/// on, for the root; those that carry a root's; else a lane's each. nullopt: who has how much of what is
/// gathered or exchanged with counts, or gathered on its way by other sites, nobody knows.
std::optional<int> senders_of(const Position& position, const Call& call, const Choice& choice) {
  using enum Collective;
  const bool unknown = call.collective == gatherv || call.collective == alltoallv ||
                       call.collective == alltoallw ||
                       (call.collective == gather && choice.algorithm() == Algorithm::relayed);
  if (unknown) return std::nullopt;
  const bool all = call.collective == Collective::alltoall
                       ? choice.algorithm() != Algorithm::aggregate
                       : call.collective == Collective::gather && choice.algorithm() == Algorithm::direct;
  const int ranks = static_cast<int>(position.ranks_of(position.site()).size());
  if (call.collective == Collective::scatter && choice.algorithm() == Algorithm::direct)
    return static_cast<int>(carriers_of(position, call.root, choice.lanes).size());
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

Lanes lanes_of(const Position& position, const Call& call, const Choice& choice) {
  return lanes_of(position, shards_of(position.layout(), call, choice.way), choice.lanes);
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

}  // namespace wan
