// SPDX-License-Identifier: BSD-3-Clause
// Allreduce: each site reduces up its tree, all coordinators exchange their partials and join them in the same order (so
// that every rank gets the same bits, invariant 5), and broadcast down their trees.
//
//   1, 2 -> 0 <===> 3 <- 4;   0 -> 1, 2;  3 -> 4     WAN: one latency, m bytes for each run of a site, to each site.
#include "algo/collectives.h"
#include "algo/partial.h"

namespace wan {

namespace {

/// Sends `own` to all other coordinators and returns everybody's partials.
std::vector<Partial> exchange(Builder& b, const Position& position, std::vector<Partial> own, const Call& call) {
  for (const SiteIndex site : position.other_sites()) b.send(position.coordinator_of(site), values_of(own));
  for (Partial& partial : own) partial.use = Partial::Use::read_only;  // a join must not wait for the sends
  return partials_of_sites(b, position, own, call);
}

}  // namespace

Program plan_allreduce(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  if (call.block == 0) return std::move(b).finish();
  if (const auto parent = position.parent()) {
    reduce_in_site(b, position, contribution(b, call), call.order);
    b.receive(*parent, b.output());
  } else {
    auto own = reduce_in_site(b, position, kept_contribution(b, call), call.order);
    const auto all = exchange(b, position, std::move(own), call);
    b.copy(joined(b, all, call.order).front().value, b.output());
  }
  for (const Rank child : position.children()) b.send(child, b.output());
  return std::move(b).finish();
}

}  // namespace wan
