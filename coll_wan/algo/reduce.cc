// SPDX-License-Identifier: BSD-3-Clause
// Reduce (papers/004, section 3.4, without its restriction to contiguous sites): each site reduces up its tree, each
// coordinator sends its partials to the root, which joins them in the order of the sites, or of the ranks.
//
//   root 4:   1, 2 -> 0 ===> 4 <- 3, 5     WAN: one latency, m bytes for each run of a site.
#include "algo/collectives.h"
#include "algo/partial.h"

namespace wan {

namespace {

void join_at_root(Builder& b, const Position& position, const Call& call) {
  const auto own = reduce_in_site(b, position, kept_contribution(b, call), call.order);
  b.copy(joined(b, partials_of_sites(b, position, own, call), call.order).front().value, b.output());
}

}  // namespace

Program plan_reduce(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  if (call.block == 0) return std::move(b).finish();
  if (b.me() == call.root) {
    join_at_root(b, position, call);
    return std::move(b).finish();
  }
  const auto partials = reduce_in_site(b, position, b.input(), call.order);
  if (position.is_coordinator()) b.send(call.root, values_of(partials));
  return std::move(b).finish();
}

}  // namespace wan
