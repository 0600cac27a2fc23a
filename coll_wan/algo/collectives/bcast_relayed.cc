// SPDX-License-Identifier: BSD-3-Clause
// Broadcast over weighted trees (cost/routes.h): the vector is divided over trees of the sites that are
// rooted at the root's, and each coordinator passes on what the trees bring to it. More general than spread,
// where an owner serves all sites by itself: stripes may go on over more links, and to each site by others.
// Inside a site the stripes of all trees go on in turn. Lanes (algo/exchange/lanes.h) share those of each
// tree.
//
//   root a; a -> d, c -> d are slow, a -> b, a -> c half as quick as others:     a ===> b ===> c, d: half
//                                                                                a ===> c ===> b ===> d: half
//   WAN: at most three latencies, m bytes into each other site, a part of them over each link.
//
// Tested by tests/unit/algo_relaying.cc and, as every planner, by tests/property.
#include <utility>

#include "algo/choice/proposal.h"
#include "algo/choice/route_choice.h"
#include "algo/choice/segments.h"
#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/relaying.h"

namespace wan {

namespace {

/// The vector, from the root's site to every other.
RouteDemand demand_of(const Layout& layout, const Call& call) {
  RouteDemand demand{SiteMatrix<std::optional<Bytes>>(layout.sites()), true,
                     least_stripes(call.block, call.unit_bytes)};
  const SiteIndex root = layout.site_of(call.root);
  for (SiteIndex site = 0; site < layout.sites(); ++site)
    if (site != root && call.block > 0) demand.bytes.at(root, site) = call.block * call.unit_bytes;
  return demand;
}

/// Among more sites it takes longer than a millisecond; and what goes in one piece is for a tree.
bool is_worth_a_search(const Topology& topology, const Tuning& tuning, const Call& call) {
  constexpr SiteIndex kMostSites = 32;
  return topology.layout.sites() <= kMostSites &&
         call.block > segmentation_of(topology, tuning, call).segment;
}

void exchange(Builder& b, const Lane& lane, const Routes& routes, SiteIndex root_site) {
  const auto sites = static_cast<std::size_t>(lane.position.layout().sites());
  std::vector<Count> lengths(sites, 0);
  std::vector<RangeList> places(sites);
  lengths[static_cast<std::size_t>(root_site)] = lane.length;
  places[static_cast<std::size_t>(root_site)].add(lane.of(b.output()));
  exchange_relayed(b, lane.position, legs_of(routes, lane.position.site(), lengths, b.segmentation()),
                   places);
}

}  // namespace

std::optional<Proposal> propose_bcast_relayed(const Question& question) {
  const auto& [topology, tuning, call, is_forced, below_ns] = question;
  if (!can_be_relayed(topology.layout, call) || (!is_forced && !is_worth_a_search(topology, tuning, call)))
    return std::nullopt;
  return propose_routes(question, demand_of(topology.layout, call));
}

Program plan_bcast_relayed(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Routes& routes = std::get<RelayedWay>(choice.way).routes;
  const SiteIndex root_site = position.layout().site_of(call.root);
  const Shards stripes = stripes_of(routes.trees[static_cast<std::size_t>(root_site)], call.block);
  const Lanes lanes = lanes_of(position, stripes, choice.lanes);
  receive_down(b, lanes, b.output());
  for (const Lane& lane : lanes)
    if (lane.position.is_coordinator()) exchange(b, lane, routes, root_site);
  send_down(b, lanes, b.output());
  return std::move(b).finish();
}

}  // namespace wan
