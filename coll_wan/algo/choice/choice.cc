// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/choice.h"

#include <algorithm>
#include <utility>

#include "algo/choice/aggregation.h"
#include "algo/choice/halves.h"
#include "algo/choice/lane_choice.h"
#include "algo/choice/route_choice.h"
#include "algo/choice/segments.h"

namespace wan {

namespace {

bool is_aggregated(const Topology& topology, const Tuning& tuning, const Call& call) {
  if (!has_algorithm(call.collective, Algorithm::aggregate)) return false;
  if (has_count_matrix(call.collective)) return needs_survey(topology, tuning, call);
  return call.block <= aggregate_limit(topology.layout, call.collective, tuning);
}

/// Is `algorithm` one of the collective's, and no other forced? Other sites pass nothing on between two
/// groups.
bool may_be(Algorithm algorithm, const Tuning& tuning, const Call& call) {
  const Algorithm forced = tuning.algorithms.of(call.collective);
  return !call.is_inter() && has_algorithm(call.collective, algorithm) &&
         (forced == Algorithm::automatic || forced == algorithm);
}

/// What spreading a vector must take less than: another way of more than one latency, by a twentieth.
Nanoseconds spread_below_ns(const std::optional<Routes>& routes, const std::optional<WideTree>& tree) {
  if (routes) return routes->time_ns;
  return tree ? tree->time_ns - tree->time_ns / 20 : kAnyTime;
}

/// Does a part go another way than directly?
bool is_spread(const Topology& topology, const Call& call, const Parts& parts) {
  constexpr SiteIndex kNone = -1;
  const SiteIndex home = traits(call.collective).rooted ? topology.layout.site_of(call.root) : kNone;
  return std::ranges::any_of(parts, [&](const Part& part) { return part.owner && *part.owner != home; });
}

Choice chosen_way(const Topology& topology, const Tuning& tuning, const Call& call) {
  const Network& network = topology.network;
  auto routes =
      may_be(Algorithm::relayed, tuning, call) ? relayed_routes_of(topology, tuning, call) : std::nullopt;
  auto tree = may_be(Algorithm::tree, tuning, call) ? wide_tree_of(topology, tuning, call) : std::nullopt;
  Parts parts = parts_of(topology, tuning, call, spread_below_ns(routes, tree));
  const bool spread = is_spread(topology, call, parts);
  const Segmentation between = segmentation_of(topology, tuning, call),
                     inside = segmentation_inside_sites(topology, tuning, call, spread);
  if (spread)
    return {Algorithm::spread, std::move(parts), segmentation_of_spread(network, tuning, call), inside};
  if (tree) return {Algorithm::tree, std::move(parts), between, inside, {}, std::move(tree)};
  if (routes) return {Algorithm::relayed, std::move(parts), between, inside, std::move(routes)};
  return {is_aggregated(topology, tuning, call) ? Algorithm::aggregate : Algorithm::direct, std::move(parts),
          between, inside};
}

Choice chosen_on(const Topology& topology, const Tuning& tuning, const Call& call) {
  auto network = network_of_windows(topology, tuning, call);
  Choice choice = network
                      ? chosen_way({topology.layout, std::move(*network), topology.overheads}, tuning, call)
                      : chosen_way(topology, tuning, call);
  if (can_have_lanes(call, choice.algorithm))
    choice.lanes = number_of_lanes(topology, tuning, call, choice.parts);
  return choice;
}

}  // namespace

Choice choose(const Topology& topology, const Tuning& tuning, const Call& call) {
  const auto halves = halves_for(topology, call);
  return chosen_on(halves ? *halves : topology, tuning, call);
}

}  // namespace wan
