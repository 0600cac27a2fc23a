// SPDX-License-Identifier: BSD-3-Clause
// Allgather(v) (papers/004, section 3.3): gather to the coordinator of each site, exchange the sites' blocks between all
// coordinators, and down each tree what the subtree does not hold. Every block travels from and to its place in the output.
//
//   0 <- 1, 2;  0 <===> 3;  0 -> 1, 2      WAN: one latency, a site's blocks into each other site.
#include "algo/blocks.h"
#include "algo/collectives.h"

namespace wan {

namespace {

void exchange_between_sites(Builder& b, const Position& position, const Blocks& blocks) {
  for (const SiteIndex site : position.other_sites())
    b.send(position.coordinator_of(site), blocks.of(position.ranks_of(position.site())));
  for (const SiteIndex site : position.other_sites())
    b.receive(position.coordinator_of(site), blocks.of(position.ranks_of(site)));
}

void exchange_with_parent(Builder& b, const Position& position, Rank parent, const Blocks& blocks) {
  const std::vector<Rank> subtree = position.tree().subtree_of(b.me());
  b.send(parent, blocks.of(subtree));
  b.receive(parent, blocks.of(ranks_but(b.size(), subtree)));
}

}  // namespace

Program plan_allgather(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  const Blocks blocks = call.collective == Collective::allgatherv ? Blocks(b.output(), call.receive_counts)
                                                                  : Blocks(b.output(), call.block, b.size());
  if (call.placement == Placement::separate) b.copy(b.input(), blocks.of(b.me()));
  for (const Rank child : position.children()) b.receive(child, blocks.of(position.tree().subtree_of(child)));
  if (const auto parent = position.parent())
    exchange_with_parent(b, position, *parent, blocks);
  else
    exchange_between_sites(b, position, blocks);
  for (const Rank child : position.children())
    b.send(child, blocks.of(ranks_but(b.size(), position.tree().subtree_of(child))));
  return std::move(b).finish();
}

}  // namespace wan
