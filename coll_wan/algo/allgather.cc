// SPDX-License-Identifier: BSD-3-Clause
// Allgather(v) (papers/004, section 3.3): gather to the coordinator of each site, exchange the sites' blocks between all
// coordinators, and down each tree what the subtree does not hold. Every block travels from and to its place in the output.
//
//   0 <- 1, 2;  0 <===> 3;  0 -> 1, 2      WAN: one latency, a site's blocks into each other site.
#include <algorithm>
#include <iterator>

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

/// By site.
std::vector<RangeList> blocks_of_sites(const Position& position, const Blocks& blocks) {
  std::vector<RangeList> streams;
  for (SiteIndex site = 0; site < position.layout().sites(); ++site) streams.push_back(blocks.of(position.ranks_of(site)));
  return streams;
}

/// What a subtree gets from above: the blocks of the rest of its site, and those of every other site, in turn.
std::vector<RangeList> from_above(const Builder& b, const Position& position, std::span<const Rank> subtree, const Blocks& blocks,
                                  std::vector<RangeList> streams) {
  std::vector<Rank> rest;
  std::ranges::set_difference(position.ranks_of(position.site()), subtree, std::back_inserter(rest));
  streams[static_cast<std::size_t>(position.site())] = blocks.of(rest);
  return in_turn(streams, b.segmentation());
}

}  // namespace

Program plan_allgather(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Blocks blocks = call.collective == Collective::allgatherv ? Blocks(b.output(), call.receive_counts)
                                                                  : Blocks(b.output(), call.block, b.size());
  if (call.placement == Placement::separate) b.copy(b.input(), blocks.of(b.me()));
  const auto subtree_of = [&](Rank rank) { return position.tree().subtree_of(rank); };
  const auto of_sites = blocks_of_sites(position, blocks);
  for (const Rank child : position.children()) b.receive(child, blocks.of(subtree_of(child)));
  if (const auto parent = position.parent()) {
    b.send(*parent, blocks.of(subtree_of(b.me())));
    for (const RangeList& part : from_above(b, position, subtree_of(b.me()), blocks, of_sites)) b.receive(*parent, part);
  } else {
    exchange_between_sites(b, position, blocks);
  }
  for (const Rank child : position.children())
    for (const RangeList& part : from_above(b, position, subtree_of(child), blocks, of_sites)) b.send(child, part);
  return std::move(b).finish();
}

}  // namespace wan
