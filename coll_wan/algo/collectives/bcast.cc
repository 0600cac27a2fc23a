// SPDX-License-Identifier: BSD-3-Clause
// Broadcast (papers/004, section 3.2): the root sends to the coordinator of every other site, farthest first,
// and each coordinator down the tree of its site. A long vector is spread over the sites first
// (algo/choice/shards.h), and over several coordinators of each site (algo/exchange/lanes.h).
//
//   root 4:   4 ===> 0 -> 1, 2     WAN: one latency, m bytes into each other site.
//             4 -> 3, 5            Spread: two latencies, m bytes into each other site, a part of them over
//             each link.
#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"

namespace wan {

namespace {

/// The root's site sends each shard to its owner.
void scatter(Builder& b, const Lane& lane) {
  std::vector<Builder::Outgoing> outgoing;
  for (const SiteIndex site : lane.position.other_sites())
    for (const Shard& shard : lane.shards)
      if (shard.owner == site)
        outgoing.push_back({lane.position.coordinator_of(site), {shard.of(lane.of(b.output()))}});
  b.send_in_turn(outgoing);
}

/// A shard goes from its owner to all other sites that do not have it: all but the root's.
void pass_on(Builder& b, const Lane& lane, const Shard& shard, SiteIndex root_site) {
  for (const SiteIndex site : lane.position.other_sites())
    if (site != root_site) b.send(lane.position.coordinator_of(site), shard.of(lane.of(b.output())));
}

void receive(Builder& b, const Lane& lane, SiteIndex root_site) {
  const Position& position = lane.position;
  for (const Shard& shard : lane.shards)
    if (shard.owner == position.site())
      b.receive(position.coordinator_of(root_site), shard.of(lane.of(b.output())));
  for (const Shard& shard : lane.shards)
    if (shard.owner != position.site())
      b.receive(position.coordinator_of(*shard.owner), shard.of(lane.of(b.output())));
}

void exchange_between_sites(Builder& b, const Lane& lane, SiteIndex root_site) {
  if (lane.position.site() == root_site)
    scatter(b, lane);
  else
    receive(b, lane, root_site);
  for (const Shard& shard : lane.shards)
    if (shard.owner == lane.position.site()) pass_on(b, lane, shard, root_site);
}

}  // namespace

Program plan_bcast(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Lanes lanes = lanes_of(position, call, choice);
  receive_down(b, lanes, b.output());
  for (const Lane& lane : lanes)
    if (lane.position.is_coordinator()) exchange_between_sites(b, lane, position.layout().site_of(call.root));
  send_down(b, lanes, b.output());
  return std::move(b).finish();
}

}  // namespace wan
