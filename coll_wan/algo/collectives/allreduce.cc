// SPDX-License-Identifier: BSD-3-Clause
// Allreduce: each site reduces up its tree, all coordinators exchange their partials and join them in the
// same order (so that every rank gets the same bits, invariant 5), and broadcast down their trees. Of a long
// vector each site joins one shard only, and sends the result to the others (algo/choice/shards.h); several
// coordinators of a site share it (algo/exchange/lanes.h).
//
//   1, 2 -> 0 <===> 3 <- 4;   0 -> 1, 2;  3 -> 4     WAN: one latency, m bytes for each run of a site, to
//   each site.
//                                                    Spread: two latencies, about 2 m / C over each link.
//                                                    Relayed (algo/exchange/relaying.h): the same bytes over
//                                                    other links.
#include <algorithm>

#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/partial.h"

namespace wan {

namespace {

/// Shards that one site owns go on to all others.
void pass_on(Builder& b, const Position& position, std::span<const ReducedShard> reduced,
             const Range& result) {
  for (const auto& [shard, value] : reduced) {
    if (value) b.copy(value->value, shard.of(result));
    for (const SiteIndex site : position.other_sites())
      if (value && shard.owner) b.send(position.coordinator_of(site), value->value);
    if (!value) b.receive(position.coordinator_of(*shard.owner), shard.of(result));
  }
}

/// The product of the partials of all sites, which some pass on for others.
Range reduce_relayed(Builder& b, const Position& position, std::span<const Partial> own, const Routes& routes,
                     Combining combining) {
  const auto all = partials_of_sites_relayed(b, position, own.front(), routes, combining);
  return product(b, all, combining).value;
}

/// At a lane's coordinator: from what its site has to what all have.
void exchange(Builder& b, const Lane& lane, std::span<const Partial> own, const Call& call,
              const Choice& choice) {
  const Range result = lane.of(b.output());
  if (const auto* relayed = std::get_if<RelayedWay>(&choice.way))
    b.copy(reduce_relayed(b, lane.position, own, relayed->routes, call.combining()), result);
  else
    pass_on(b, lane.position, reduce_at_owners(b, lane.position, own, lane.shards, call.combining()), result);
}

}  // namespace

Program plan_allreduce(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const Lanes lanes = lanes_of(position, call, choice);
  const auto partials = reduce_in_site(b, lanes, own_of(b, lanes, call), call.combining());
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].position.is_coordinator()) exchange(b, lanes[i], partials[i], call, choice);
  receive_down(b, lanes, b.output());
  send_down(b, lanes, b.output());
  return std::move(b).finish();
}

}  // namespace wan
