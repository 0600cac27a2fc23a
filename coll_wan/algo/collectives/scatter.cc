// SPDX-License-Identifier: BSD-3-Clause
// Scatter, the mirror of gather (algo/collectives/gather.cc). Directly, the root sends to the farthest ranks
// first; with lanes, carriers (algo/exchange/carriers.h) send shares of every block to all of them in turn.
//
//   root 4:   4 ===> 0 -> 1, 2     WAN: one latency, a site's blocks into each other site.
//             4 -> 3, 5
#include <algorithm>

#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/carriers.h"
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

namespace {

/// The root: carrier 0. In turn, so that the other carriers soon have something to send; alone it sends to
/// the farthest ranks first.
void send_from_root(Builder& b, const Position& position, const Blocks& blocks,
                    std::span<const Rank> carriers) {
  const std::vector<Rank> others = ranks_of_other_sites(position);
  std::vector<Builder::Outgoing> outgoing;
  for (std::size_t carrier = 1; carrier < carriers.size(); ++carrier) {
    outgoing.push_back({carriers[carrier], {}});
    for (const Rank rank : others)
      outgoing.back().from.push_back(share_of(blocks.of(rank), carrier, carriers.size()));
  }
  for (const Rank rank : others) outgoing.push_back({rank, {share_of(blocks.of(rank), 0, carriers.size())}});
  if (carriers.size() > 1)
    b.send_in_turn(outgoing);
  else
    for (const auto& [to, from] : outgoing) b.send(to, from);
  for (const Rank rank : position.ranks_of(position.site()))
    if (rank != b.me()) b.send(rank, blocks.of(rank));
}

/// Another carrier.
void carry_from_root(Builder& b, const Position& position, const Call& call, std::size_t carrier,
                     std::size_t carriers) {
  const std::vector<Rank> others = ranks_of_other_sites(position);
  const std::vector<Range> shares = kept_shares(b, others.size(), call.block, carrier, carriers);
  b.receive(call.root, shares);
  std::vector<Builder::Outgoing> outgoing;
  for (std::size_t i = 0; i < others.size(); ++i) outgoing.push_back({others[i], {shares[i]}});
  b.send_in_turn(outgoing);
}

}  // namespace

Program plan_scatter_direct(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const std::vector<Rank> carriers = carriers_of(position, call.root, choice.lanes);
  if (b.me() == call.root) {
    const Blocks blocks = blocks_at_root(b.input(), call, b.size());
    send_from_root(b, position, blocks, carriers);
    if (call.placement == Placement::separate) b.copy(blocks.of(b.me()), b.output());
  } else if (position.site() == position.layout().site_of(call.root)) {
    if (const auto carrier = number_among(carriers, b.me()))
      carry_from_root(b, position, call, *carrier, carriers.size());
    b.receive(call.root, b.output());
  } else {
    for (std::size_t carrier = 0; carrier < carriers.size(); ++carrier)
      b.receive(carriers[carrier], share_of(b.output(), carrier, carriers.size()));
  }
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
