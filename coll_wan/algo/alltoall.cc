// SPDX-License-Identifier: BSD-3-Clause
// Alltoall. Through coordinators: what leaves a subtree travels up its site's tree as one message, ordered by source and
// then destination; what one site has for another as one message; what enters a subtree down as one message. Directly:
// every block from rank to rank, farthest first; for long blocks, and for alltoallv and alltoallw, where a coordinator
// does not know its members' counts.
//
//   1 -> 0: 1's blocks for all but 1;  0 ===> 3: {0,1,2} x {3,4};  0 -> 1: the blocks of all but 1 for 1
//   WAN: one latency, n_a n_b blocks from site a to site b.
#include <algorithm>
#include <unordered_map>

#include "algo/blocks.h"
#include "algo/collectives.h"

namespace wan {

namespace {

using Ranks = std::span<const Rank>;

/// MPI_IN_PLACE: what is sent stands where what is received will stand, so it moves to scratch first.
Range data_to_send(Builder& b, const Call& call) {
  if (call.placement == Placement::separate) return b.input();
  const Range moved = b.scratch(b.output().length);
  b.copy(b.output(), moved);
  return moved;
}

/// Where each block that passes through this rank stands, by source and destination.
class Passing {
 public:
  Passing(Builder& b, Range mine, Count block) : b_(b), mine_(mine, block, b.size()), result_(b.output(), block, b.size()), block_(block) {}

  Range of(Rank source, Rank destination) const {
    if (source == b_.me()) return mine_.of(destination);
    if (destination == b_.me()) return result_.of(source);
    return held_.at(key(source, destination));
  }
  /// New places for the blocks sources x destinations, in message order; a block for this rank goes to its output.
  RangeList take(Ranks sources, Ranks destinations) {
    const auto pairs = static_cast<Count>(sources.size() * destinations.size());
    Range free = b_.scratch(pairs * block_);
    RangeList places;
    for_each_pair(sources, destinations, [&](Rank source, Rank destination) {
      if (destination != b_.me()) {
        held_[key(source, destination)] = free.part(0, block_);
        free = free.part(block_, free.length - block_);
      }
      places.add(of(source, destination));
    });
    return places;
  }
  RangeList give(Ranks sources, Ranks destinations) const {
    RangeList places;
    for_each_pair(sources, destinations,
                  [&](Rank source, Rank destination) { places.add(of(source, destination)); });
    return places;
  }
  void keep_own() { b_.copy(mine_.of(b_.me()), result_.of(b_.me())); }

 private:
  template <class Visit>
  static void for_each_pair(Ranks sources, Ranks destinations, Visit visit) {
    for (const Rank source : sources)
      for (const Rank destination : destinations) visit(source, destination);
  }
  std::int64_t key(Rank source, Rank destination) const {
    return static_cast<std::int64_t>(source) * b_.size() + destination;
  }

  Builder& b_;
  Blocks mine_, result_;
  Count block_;
  std::unordered_map<std::int64_t, Range> held_;
};

void exchange_between_sites(Builder& b, const Position& position, Passing& blocks) {
  const Ranks here = position.ranks_of(position.site());
  for (const SiteIndex site : position.other_sites())
    b.send(position.coordinator_of(site), blocks.give(here, position.ranks_of(site)));
  for (const SiteIndex site : position.other_sites())
    b.receive(position.coordinator_of(site), blocks.take(position.ranks_of(site), here));
}

}  // namespace

Program plan_alltoall(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  if (call.block == 0) return std::move(b).finish();
  Passing blocks(b, data_to_send(b, call), call.block);
  if (call.placement == Placement::separate) blocks.keep_own();
  const auto inside = [&](Rank rank) { return position.tree().subtree_of(rank); };
  const auto outside = [&](Rank rank) { return ranks_but(b.size(), inside(rank)); };
  for (const Rank child : position.children()) b.receive(child, blocks.take(inside(child), outside(child)));
  if (const auto parent = position.parent()) {
    b.send(*parent, blocks.give(inside(b.me()), outside(b.me())));
    b.receive(*parent, blocks.take(outside(b.me()), inside(b.me())));
  } else {
    exchange_between_sites(b, position, blocks);
  }
  for (const Rank child : position.children()) b.send(child, blocks.give(outside(child), inside(child)));
  return std::move(b).finish();
}

namespace {

/// All other ranks: those of the farthest sites first, then those of the own site, each group starting behind `me` so that
/// not all send to the same rank at once.
std::vector<Rank> peers_in_order(const Position& position) {
  std::vector<Rank> peers;
  const auto add_site = [&](SiteIndex site) {
    const Ranks ranks = position.ranks_of(site);
    const auto behind = std::ranges::upper_bound(ranks, position.me());
    peers.insert(peers.end(), behind, ranks.end());
    peers.insert(peers.end(), ranks.begin(), behind);
  };
  std::ranges::for_each(position.other_sites(), add_site);
  add_site(position.site());
  std::erase(peers, position.me());
  return peers;
}

}  // namespace

Program plan_alltoall_direct(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  const bool uniform = call.collective == Collective::alltoall;
  const std::vector<Count> same(static_cast<std::size_t>(b.size()), call.block);
  const Blocks data(data_to_send(b, call), uniform ? same : call.send_counts);
  const Blocks result(b.output(), uniform ? same : call.receive_counts);
  const std::vector<Rank> peers = peers_in_order(position);
  for (const Rank peer : peers)
    if (result.of(peer).length > 0) b.receive(peer, result.of(peer));
  for (const Rank peer : peers)
    if (data.of(peer).length > 0) b.send(peer, data.of(peer));
  if (call.placement == Placement::separate) b.copy(data.of(b.me()), result.of(b.me()));
  return std::move(b).finish();
}

}  // namespace wan
