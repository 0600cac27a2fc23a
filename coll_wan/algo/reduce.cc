// SPDX-License-Identifier: BSD-3-Clause
// Reduce (papers/004, section 3.4, without its restriction to contiguous sites): each site reduces up its tree, each
// coordinator sends its partials to the owners of their parts, who join them in the order of the sites, or of the ranks. A
// short vector has one part, owned by the root; of a long one (algo/parts.h) the other owners send the root the result.
//
//   root 4:   1, 2 -> 0 ===> 4 <- 3, 5     WAN: one latency, m bytes for each run of a site.
//                                          Spread: two latencies, a part of them over each link.
#include "algo/collectives.h"
#include "algo/parts.h"
#include "algo/partial.h"

namespace wan {

namespace {

/// What came of each part goes to the root, which adds what its own site has.
void bring_to_root(Builder& b, const Position& position, const Call& call, std::span<const Partial> own,
                   std::span<const ReducedPart> reduced) {
  for (const auto& [part, value] : reduced) {
    if (b.me() != call.root) {
      if (value) b.send(call.root, value->value);
    } else if (value) {
      b.copy(value->value, part.of(b.output()));
    } else {
      b.receive(position.coordinator_of(*part.owner), part.of(b.output()));
      b.reduce(own.front().value.part(part.offset, part.length), part.of(b.output()));
    }
  }
}

}  // namespace

Program plan_reduce(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const Range own = b.me() == call.root ? kept_contribution(b, call) : b.input();
  const auto partials = reduce_in_site(b, position, own, call.order);
  if (!position.is_coordinator()) return std::move(b).finish();
  const SiteIndex root_site = position.layout().site_of(call.root);
  bring_to_root(b, position, call, partials, reduce_at_owners(b, position, partials, choice.parts, call.order, root_site));
  return std::move(b).finish();
}

}  // namespace wan
