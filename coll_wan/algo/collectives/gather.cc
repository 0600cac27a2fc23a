// SPDX-License-Identifier: BSD-3-Clause
// Gather. Through coordinators: the blocks of a subtree travel up its site's tree as one message, ordered by
// rank, and the blocks of a site to the root as one message. Directly: every rank sends its block to the
// root; for long blocks, and for gatherv, where a coordinator does not know its members' counts. With lanes
// carriers (algo/exchange/carriers.h) receive shares of the blocks for the root.
//
//   root 4:   1, 2 -> 0 ===> 4 <- 3, 5      WAN: one latency, a site's blocks from each other site.
#include <algorithm>

#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/carriers.h"
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

namespace {

/// Whose shares a carrier has: those that come soonest first.
std::vector<Rank> nearest_first(const Position& position) {
  std::vector<Rank> others = ranks_of_other_sites(position);
  std::ranges::reverse(others);
  return others;
}

/// The root: carrier 0.
void receive_at_root(Builder& b, const Position& position, const Blocks& result,
                     std::span<const Rank> carriers) {
  for (const Rank rank : position.ranks_of(position.site()))
    if (rank != b.me()) b.receive(rank, result.of(rank));
  for (const Rank rank : nearest_first(position)) {
    for (std::size_t carrier = 0; carrier < carriers.size(); ++carrier)
      b.receive(carrier == 0 ? rank : carriers[carrier], share_of(result.of(rank), carrier, carriers.size()));
  }
}

/// Another carrier.
void carry_to_root(Builder& b, const Position& position, const Call& call, std::size_t carrier,
                   std::size_t carriers) {
  const std::vector<Rank> others = nearest_first(position);
  const std::vector<Range> shares = kept_shares(b, others.size(), call.block, carrier, carriers);
  for (std::size_t i = 0; i < others.size(); ++i) b.receive(others[i], shares[i]);
  for (const Range& share : shares) b.send(call.root, share);
}

}  // namespace

Program plan_gather_direct(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const std::vector<Rank> carriers = carriers_of(position, call.root, choice.lanes);
  if (b.me() == call.root) {
    const Blocks result = blocks_at_root(b.output(), call, b.size());
    receive_at_root(b, position, result, carriers);
    if (call.placement == Placement::separate) b.copy(b.input(), result.of(b.me()));
  } else if (position.site() == position.layout().site_of(call.root)) {
    b.send(call.root, b.input());
    if (const auto carrier = number_among(carriers, b.me()))
      carry_to_root(b, position, call, *carrier, carriers.size());
  } else {
    std::vector<Builder::Outgoing> outgoing;
    for (std::size_t carrier = 0; carrier < carriers.size(); ++carrier)
      outgoing.push_back({carriers[carrier], {share_of(b.input(), carrier, carriers.size())}});
    b.send_in_turn(outgoing);
  }
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
