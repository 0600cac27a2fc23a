// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/choice.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "algo/choice/halves.h"
#include "algo/choice/lane_choice.h"
#include "algo/choice/proposal.h"
#include "algo/choice/segments.h"
#include "base/invariant.h"

namespace wan {

namespace {

struct Row {
  Collective collective;
  Algorithm algorithm;
  Proposer* propose;
};
constexpr Row kRows[] = {
#define WAN_ALGORITHM(collective, algorithm, planner, proposer, lanes, traffic) \
  {Collective::collective, Algorithm::algorithm, proposer},
#include "algo/algorithms.def"
};

auto rows_for(Collective collective) {
  return std::ranges::equal_range(kRows, collective, {}, &Row::collective);
}

using Found = std::optional<Proposal>;

/// If it can be.
Found forced_way(const Topology& topology, const Tuning& tuning, const Call& call) {
  for (const Row& row : rows_for(call.collective))
    if (row.algorithm == tuning.algorithms.of(call.collective))
      return row.propose({topology, tuning, call, true, kAnyTime});
  return std::nullopt;
}

/// Of those that nobody has to force; a way gives in to one of an earlier row that is quicker.
Found quickest_way(const Topology& topology, const Tuning& tuning, const Call& call) {
  const bool is_free = tuning.algorithms.of(call.collective) == Algorithm::automatic;
  Found best;
  for (const Row& row : std::views::reverse(rows_for(call.collective))) {
    if (!is_free && !is_fallback(row.algorithm)) continue;
    const Nanoseconds below_ns = best ? best->yields_below_ns : kAnyTime;
    Found next = row.propose({topology, tuning, call, false, below_ns});
    if (next && (!best || next->time_ns < below_ns)) best = std::move(next);
  }
  return best;
}

Way way_of(const Topology& topology, const Tuning& tuning, const Call& call) {
  Found found = forced_way(topology, tuning, call);
  if (!found) found = quickest_way(topology, tuning, call);
  invariant(found.has_value(), "no way for a call");
  return std::move(found->way);
}

Choice chosen_way(const Topology& topology, const Tuning& tuning, const Call& call) {
  Way way = way_of(topology, tuning, call);
  const Cut cut = cut_of(way);
  const auto* relayed = std::get_if<RelayedWay>(&way);
  const Count flows = relayed == nullptr ? 1 : most_on_a_link(relayed->routes);
  const Segmentation segmentation = segmentation_of(topology, tuning, call, cut, flows);
  return {std::move(way), segmentation, segmentation_inside_sites(topology, tuning, call, cut)};
}

Choice chosen_on(const Topology& topology, const Tuning& tuning, const Call& call) {
  auto network = network_of_windows(topology, tuning, call);
  Choice choice =
      network ? chosen_way({topology.layout, std::move(*network), topology.overheads, topology.machine},
                           tuning, call)
              : chosen_way(topology, tuning, call);
  if (can_have_lanes(call, choice.algorithm())) {
    choice.lanes = number_of_lanes(topology, tuning, call, shards_of(topology.layout, call, choice.way));
    if (cut_of(choice.way) == Cut::whole)
      choice.segmentation = segmentation_of_lanes(choice.segmentation, topology, tuning, call, choice.lanes);
  }
  return choice;
}

}  // namespace

std::optional<Proposal> propose_direct(const Question&) {
  return Proposal{DirectWay{}};
}

Shards shards_of(const Layout& layout, const Call& call, const Way& way) {
  if (const auto* spread = std::get_if<SpreadWay>(&way)) return spread->shards;
  const bool is_rooted = traits(call.collective).rooted;
  return {{is_rooted ? std::optional(layout.site_of(call.root)) : std::nullopt, 0, call.block}};
}

Choice choose(const Topology& topology, const Tuning& tuning, const Call& call) {
  auto halves = halves_for(topology, call);
  Choice choice = chosen_on(halves ? *halves : topology, tuning, call);
  choice.halves = std::move(halves);
  return choice;
}

}  // namespace wan
