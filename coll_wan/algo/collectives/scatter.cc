// SPDX-License-Identifier: BSD-3-Clause
// Scatter, the mirror of gather (algo/collectives/gather.cc). Directly, the root sends to the farthest ranks
// first.
//
//   root 4:   4 ===> 0 -> 1, 2     WAN: one latency, a site's blocks into each other site.
//             4 -> 3, 5
#include <algorithm>

#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/relaying.h"

namespace wan {

namespace {

Program hand_out_at_root(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Blocks blocks = blocks_at_root(b.input(), call, b.size());
  for (const SiteIndex site : position.other_sites())
    b.send(position.coordinator_of(site), blocks.of(position.ranks_of(site)));
  for (const Rank child : position.children()) b.send(child, blocks.of(position.tree().subtree_of(child)));
  if (call.placement == Placement::separate) b.copy(blocks.of(b.me()), b.output());
  return std::move(b).finish();
}

Program pass_to_children(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const std::vector<Count> counts(static_cast<std::size_t>(b.size()), call.block);
  const SubtreeBlocks blocks(b, b.output(), position.tree().subtree_of(b.me()), counts);
  b.receive(position.parent().value_or(call.root), blocks.all());
  for (const Rank child : position.children()) b.send(child, blocks.of(position.tree().subtree_of(child)));
  return std::move(b).finish();
}

}  // namespace

Program plan_scatter(const Position& position, const Call& call, const Choice& choice) {
  return position.me() == call.root ? hand_out_at_root(position, call, choice)
                                    : pass_to_children(position, call, choice);
}

Program plan_scatter_direct(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (b.me() != call.root) {
    b.receive(call.root, b.output());
    return std::move(b).finish();
  }
  const Blocks blocks = blocks_at_root(b.input(), call, b.size());
  const auto send_to = [&](Rank rank) {
    if (rank != b.me()) b.send(rank, blocks.of(rank));
  };
  for (const SiteIndex site : position.other_sites()) std::ranges::for_each(position.ranks_of(site), send_to);
  std::ranges::for_each(position.ranks_of(position.site()), send_to);
  if (call.placement == Placement::separate) b.copy(blocks.of(b.me()), b.output());
  return std::move(b).finish();
}

Program plan_scatter_relayed(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const bool is_root = b.me() == call.root;
  const Blocks blocks(b.input(), is_root ? call.block : 0, b.size());
  exchange_blocks_relayed(
      b, position, std::get<RelayedWay>(choice.way).routes, call,
      [&](Rank destination) { return blocks.of(destination); }, [&](Rank) { return b.output(); });
  if (is_root && call.placement == Placement::separate) b.copy(blocks.of(b.me()), b.output());
  return std::move(b).finish();
}

}  // namespace wan
