// SPDX-License-Identifier: BSD-3-Clause
// Alltoall(v,w). Through coordinators: what leaves a subtree travels up its site's tree as one message,
// ordered by source and then destination; what one site has for another as one message; what enters a subtree
// down as one message. Directly, those first that are followed by most (algo/send_order.h): every block
// longer than the aggregate limit. Both ends of a block and every rank that passes it on know its length,
// from the call or from a survey (algo/survey.h), so they agree on its route; without a survey alltoallv and
// alltoallw go directly.
//
//   1 -> 0: 1's blocks for all but 1;  0 ===> 3: {0,1,2} x {3,4};  0 -> 1: the blocks of all but 1 for 1
//   WAN: one latency, n_a n_b blocks from site a to site b.
#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "algo/blocks.h"
#include "algo/collectives.h"
#include "algo/relaying.h"
#include "algo/send_order.h"
#include "base/invariant.h"

namespace wan {

namespace {

using Ranks = std::span<const Rank>;

/// The lengths of the blocks that this rank sends, receives or passes on.
class BlockLengths {
 public:
  BlockLengths(const Call& call, Rank me, Rank size) : call_(call) {
    if (call.collective == Collective::alltoall) return;
    rows_[me] = call.send_counts;
    columns_[me] = call.receive_counts;
    for (const MemberCounts& member : call.members) {
      rows_[member.rank] = member.send_counts;
      columns_[member.rank] = member.receive_counts;
    }
    invariant(std::ssize(rows_[me]) == size && std::ssize(columns_[me]) == size, "counts of an alltoall");
  }

  Count of(Rank source, Rank destination) const {
    if (call_.collective == Collective::alltoall) return call_.block_between(source, destination);
    if (const auto row = rows_.find(source); row != rows_.end())
      return row->second[static_cast<std::size_t>(destination)];
    return columns_.at(destination)[static_cast<std::size_t>(source)];
  }

  /// Ranks that `source` has blocks of more than `limit` for, itself apart; 0 where its counts are not known.
  Rank receivers_of(Rank source, Count limit) const {
    const auto row = rows_.find(source);
    if (row == rows_.end()) return 0;
    const auto long_blocks = std::ranges::count_if(row->second, [&](Count length) { return length > limit; });
    return static_cast<Rank>(long_blocks) - (row->second[static_cast<std::size_t>(source)] > limit ? 1 : 0);
  }

 private:
  const Call& call_;
  std::map<Rank, std::vector<Count>> rows_, columns_;  ///< by source; by destination
};

/// Blocks up to this length go through coordinators.
Count limit_of(const Position& position, const Call& call) {
  const bool is_known_on_the_way = call.collective == Collective::alltoall || !call.members.empty();
  return is_known_on_the_way ? aggregate_limit(position.layout(), call.collective, position.tuning()) : 0;
}

/// Where each block that passes through this rank stands, by source and destination.
class Passing {
 public:
  Passing(Builder& b, const Position& position, const Call& call)
      : b_(b),
        lengths_(call, b.me(), b.size()),
        limit_(limit_of(position, call)),
        mine_(kept_contribution(b, call), counts([&](Rank rank) { return lengths_.of(b.me(), rank); })),
        result_(b.output(), counts([&](Rank rank) { return lengths_.of(rank, b.me()); })) {
    if (call.placement == Placement::separate) b.copy(mine_.of(b.me()), result_.of(b.me()));
  }

  /// New places for the blocks sources x destinations, in message order; a block for this rank goes to its
  /// output.
  RangeList take(Ranks sources, Ranks destinations) {
    RangeList places;
    for_each_pair(sources, destinations, [&](Rank source, Rank destination) {
      if (destination != b_.me())
        held_[key(source, destination)] = b_.scratch(lengths_.of(source, destination));
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
  void receive_directly(Rank peer) {
    if (result_.of(peer).length > limit_) b_.receive(peer, result_.of(peer));
  }
  void send_directly(Rank peer) {
    if (direct_length(peer) > 0) b_.send(peer, mine_.of(peer));
  }
  Count direct_length(Rank peer) const {
    const Count length = mine_.of(peer).length;
    return length > limit_ ? length : 0;
  }
  /// Messages that `peer` sends directly, where that is known.
  Rank direct_sends_of(Rank peer) const { return lengths_.receivers_of(peer, limit_); }

 private:
  Range of(Rank source, Rank destination) const {
    if (source == b_.me()) return mine_.of(destination);
    if (destination == b_.me()) return result_.of(source);
    return held_.at(key(source, destination));
  }
  template <class LengthOf>
  std::vector<Count> counts(LengthOf length_of) const {
    std::vector<Count> all;
    for (Rank rank = 0; rank < b_.size(); ++rank) all.push_back(length_of(rank));
    return all;
  }
  /// Visits the pairs whose blocks go through coordinators.
  template <class Visit>
  void for_each_pair(Ranks sources, Ranks destinations, Visit visit) const {
    if (limit_ == 0) return;
    for (const Rank source : sources)
      for (const Rank destination : destinations)
        if (const Count length = lengths_.of(source, destination); length > 0 && length <= limit_)
          visit(source, destination);
  }
  std::int64_t key(Rank source, Rank destination) const {
    return static_cast<std::int64_t>(source) * b_.size() + destination;
  }

  Builder& b_;
  BlockLengths lengths_;
  Count limit_;
  Blocks mine_, result_;
  std::unordered_map<std::int64_t, Range> held_;
};

void exchange_between_sites(Builder& b, const Position& position, Passing& blocks) {
  const Ranks here = position.ranks_of(position.site());
  for (const SiteIndex site : position.other_sites())
    b.send(position.coordinator_of(site), blocks.give(here, position.ranks_of(site)));
  for (const SiteIndex site : position.other_sites())
    b.receive(position.coordinator_of(site), blocks.take(position.ranks_of(site), here));
}

/// All other ranks: those of the farthest sites first, then those of the own site, each group starting behind
/// `me` so that not all send to the same rank at once.
std::vector<Rank> other_ranks(const Position& position) {
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

void exchange_directly(const Position& position, const Call& call, Passing& blocks) {
  const std::vector<Rank> peers = other_ranks(position);
  for (const Rank peer : peers) blocks.receive_directly(peer);
  std::vector<Sending> sendings;
  for (const Rank peer : peers) {
    const Nanoseconds remaining_ns = remaining_path_ns(
        position.topology(), position.me(), peer, blocks.direct_length(peer), blocks.direct_sends_of(peer));
    sendings.push_back({peer, remaining_ns, call.load_of(peer)});
  }
  for (const Rank peer : in_descending_order(std::move(sendings))) blocks.send_directly(peer);
}

}  // namespace

/// Direct messages come between those up and those down the tree on both sides, which keeps the pairing of
/// messages between two ranks and lets none that is ready wait behind one that is not.
Program plan_alltoall(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  Passing blocks(b, position, call);
  const auto inside = [&](Rank rank) { return position.tree().subtree_of(rank); };
  const auto outside = [&](Rank rank) { return ranks_but(b.size(), inside(rank)); };
  const auto parent = position.parent();
  for (const Rank child : position.children()) b.receive(child, blocks.take(inside(child), outside(child)));
  if (parent) b.send(*parent, blocks.give(inside(b.me()), outside(b.me())));
  exchange_directly(position, call, blocks);
  if (parent)
    b.receive(*parent, blocks.take(outside(b.me()), inside(b.me())));
  else
    exchange_between_sites(b, position, blocks);
  for (const Rank child : position.children()) b.send(child, blocks.give(outside(child), inside(child)));
  return std::move(b).finish();
}

Program plan_alltoall_relayed(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Blocks mine(kept_contribution(b, call), call.block, b.size()),
      result(b.output(), call.block, b.size());
  exchange_blocks_relayed(
      b, position, *choice.routes, call, [&](Rank destination) { return mine.of(destination); },
      [&](Rank source) { return result.of(source); });
  if (call.placement == Placement::separate) b.copy(mine.of(b.me()), result.of(b.me()));
  return std::move(b).finish();
}

}  // namespace wan
