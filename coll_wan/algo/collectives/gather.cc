// SPDX-License-Identifier: BSD-3-Clause
// Gather. Through coordinators: the blocks of a subtree travel up its site's tree as one message, ordered by
// rank, and the blocks of a site to the root as one message. Directly: every rank sends its block to the
// root; for long blocks, and for gatherv, where a coordinator does not know its members' counts.
//
//   root 4:   1, 2 -> 0 ===> 4 <- 3, 5      WAN: one latency, a site's blocks from each other site.
#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/relaying.h"

namespace wan {

namespace {

/// What the root holds in the end; its own block is in place already with MPI_IN_PLACE.
Program collect_at_root(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Blocks result = blocks_at_root(b.output(), call, b.size());
  for (const SiteIndex site : position.other_sites())
    b.receive(position.coordinator_of(site), result.of(position.ranks_of(site)));
  for (const Rank child : position.children()) b.receive(child, result.of(position.tree().subtree_of(child)));
  if (call.placement == Placement::separate) b.copy(b.input(), result.of(b.me()));
  return std::move(b).finish();
}

Program pass_to_parent(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const std::vector<Count> counts(static_cast<std::size_t>(b.size()), call.block);
  const SubtreeBlocks blocks(b, b.input(), position.tree().subtree_of(b.me()), counts);
  for (const Rank child : position.children()) b.receive(child, blocks.of(position.tree().subtree_of(child)));
  b.send(position.parent().value_or(call.root), blocks.all());
  return std::move(b).finish();
}

}  // namespace

Program plan_gather(const Position& position, const Call& call, const Choice& choice) {
  return position.me() == call.root ? collect_at_root(position, call, choice)
                                    : pass_to_parent(position, call, choice);
}

Program plan_gather_direct(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (b.me() != call.root) {
    b.send(call.root, b.input());
    return std::move(b).finish();
  }
  const Blocks result = blocks_at_root(b.output(), call, b.size());
  for (Rank rank = 0; rank < b.size(); ++rank)
    if (rank != call.root) b.receive(rank, result.of(rank));
  if (call.placement == Placement::separate) b.copy(b.input(), result.of(b.me()));
  return std::move(b).finish();
}

Program plan_gather_relayed(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const bool is_root = b.me() == call.root;
  const Blocks result(b.output(), is_root ? call.block : 0, b.size());
  exchange_blocks_relayed(
      b, position, std::get<RelayedWay>(choice.way).routes, call, [&](Rank) { return b.input(); },
      [&](Rank source) { return result.of(source); });
  if (is_root && call.placement == Placement::separate) b.copy(b.input(), result.of(b.me()));
  return std::move(b).finish();
}

}  // namespace wan
