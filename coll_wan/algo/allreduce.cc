// SPDX-License-Identifier: BSD-3-Clause
// Allreduce: each site reduces up its tree, all coordinators exchange their partials and join them in the same order (so
// that every rank gets the same bits, invariant 5), and broadcast down their trees. Of a long vector each site joins one
// part only, and sends the result to the others (algo/parts.h).
//
//   1, 2 -> 0 <===> 3 <- 4;   0 -> 1, 2;  3 -> 4     WAN: one latency, m bytes for each run of a site, to each site.
//                                                    Spread: two latencies, about 2 m / C over each link.
//                                                    Relayed (algo/relaying.h): the same bytes over other links.
#include "algo/collectives.h"
#include "algo/parts.h"
#include "algo/partial.h"

namespace wan {

namespace {

/// Parts that one site owns go on to all others.
void pass_on(Builder& b, const Position& position, std::span<const ReducedPart> reduced) {
  for (const auto& [part, value] : reduced) {
    if (value) b.copy(value->value, part.of(b.output()));
    for (const SiteIndex site : position.other_sites())
      if (value && part.owner) b.send(position.coordinator_of(site), value->value);
    if (!value) b.receive(position.coordinator_of(*part.owner), part.of(b.output()));
  }
}

/// The product of the partials of all sites, which some pass on for others.
Range reduce_relayed(Builder& b, const Position& position, std::span<const Partial> own, const Routes& routes, OperandOrder order) {
  const auto all = partials_of_sites_relayed(b, position, own.front(), routes, order);
  return joined(b, all, order).front().value;
}

}  // namespace

Program plan_allreduce(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const auto segments = in_turn(streams_of(b.output(), choice.parts), b.segmentation());
  if (const auto parent = position.parent()) {
    reduce_in_site(b, position, contribution(b, call), call.order);
    for (const RangeList& segment : segments) b.receive(*parent, segment);
  } else {
    const auto own = reduce_in_site(b, position, kept_contribution(b, call), call.order);
    if (choice.routes)
      b.copy(reduce_relayed(b, position, own, *choice.routes, call.order), b.output());
    else
      pass_on(b, position, reduce_at_owners(b, position, own, choice.parts, call.order));
  }
  for (const Rank child : position.children())
    for (const RangeList& segment : segments) b.send(child, segment);
  return std::move(b).finish();
}

}  // namespace wan
