// SPDX-License-Identifier: BSD-3-Clause
// Alltoall(v,w). Through coordinators: what leaves a subtree travels up its site's tree as one message,
// ordered by source and then destination; what one site has for another as one message; what enters a subtree
// down as one message. Directly, those first that are followed by most (algo/exchange/send_order.h): every
// block longer than the aggregate limit. Both ends of a block and every rank that passes it on know its
// length, from the call or from a survey (algo/services/survey.h), so they agree on its route; without a
// survey alltoallv and alltoallw go directly.
//
//   1 -> 0: 1's blocks for all but 1;  0 ===> 3: {0,1,2} x {3,4};  0 -> 1: the blocks of all but 1 for 1
//   WAN: one latency, n_a n_b blocks from site a to site b.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "algo/choice/aggregation.h"
#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/relaying.h"
#include "algo/exchange/send_order.h"
#include "base/invariant.h"

namespace wan {

namespace {

using Ranks = std::span<const Rank>;

/// Blocks up to this length go through coordinators.
Count limit_of(const Position& position, const Call& call) {
  const bool is_known_on_the_way = call.collective == Collective::alltoall || !call.members.empty();
  return is_known_on_the_way ? aggregate_limit(position.topology(), call.collective, position.tuning()) : 0;
}

/// Some ranks of all.
class RankSet {
 public:
  RankSet(Rank size, Ranks ranks) : is_in_(static_cast<std::size_t>(size), false) {
    for (const Rank rank : ranks) is_in_[static_cast<std::size_t>(rank)] = true;
  }
  bool contains(Rank rank) const { return is_in_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<bool> is_in_;
};

/// A block on its way.
struct BlockOnTheWay {
  Rank source, destination;
  Count length;
};

/// The blocks of a call that go through coordinators, as far as this rank knows of them, and what else it
/// knows of other ranks' blocks.
class BlockLengths {
 public:
  BlockLengths(const Call& call, Rank size, Count limit)
      : call_(call), size_(size), limit_(limit), members_(static_cast<std::size_t>(size)) {
    for (const auto& member : call.members) members_[static_cast<std::size_t>(member->rank)] = member.get();
  }

  /// Visits those of sources x destinations, by source and then destination. The counts of all sources or
  /// those of all destinations are known.
  template <class Visit>
  void for_each(Ranks sources, Ranks destinations, Visit visit) const {
    if (limit_ == 0 || sources.empty() || destinations.empty()) return;
    if (call_.collective == Collective::alltoall) {
      for (const Rank source : sources)
        for (const Rank destination : destinations)
          visit_if_short({source, destination, call_.block_between(source, destination)}, visit);
    } else if (knows(sources.front())) {
      const RankSet to(size_, destinations);
      for (const Rank source : sources)
        for (const BlockLength& block : counts_of(source).sends)
          if (to.contains(block.peer)) visit_if_short({source, block.peer, block.length}, visit);
    } else {
      for (const BlockOnTheWay& block : by_source(sources, destinations)) visit(block);
    }
  }
  /// Ranks that `source` has blocks beyond the limit for, itself apart; 0 where its counts are not known.
  Rank receivers_of(Rank source) const {
    if (!knows(source)) return 0;
    return static_cast<Rank>(std::ranges::count_if(counts_of(source).sends, [&](const BlockLength& block) {
      return block.length > limit_ && block.peer != source;
    }));
  }

 private:
  bool knows(Rank rank) const { return members_[static_cast<std::size_t>(rank)] != nullptr; }
  const MemberCounts& counts_of(Rank rank) const {
    invariant(knows(rank), "counts of an alltoallv");
    return *members_[static_cast<std::size_t>(rank)];
  }
  template <class Visit>
  void visit_if_short(const BlockOnTheWay& block, Visit visit) const {
    if (block.length > 0 && block.length <= limit_) visit(block);
  }
  /// What the destinations know, in the order of the sources.
  std::vector<BlockOnTheWay> by_source(Ranks sources, Ranks destinations) const {
    const RankSet from(size_, sources);
    std::vector<BlockOnTheWay> blocks;
    for (const Rank destination : destinations)
      for (const BlockLength& block : counts_of(destination).receives)
        if (from.contains(block.peer))
          visit_if_short({block.peer, destination, block.length},
                         [&](const BlockOnTheWay& each) { blocks.push_back(each); });
    // A counting sort: there may be as many as there are pairs of ranks.
    std::vector<std::size_t> next(static_cast<std::size_t>(size_) + 1, 0);
    for (const BlockOnTheWay& block : blocks) ++next[static_cast<std::size_t>(block.source) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<BlockOnTheWay> sorted(blocks.size());
    for (const BlockOnTheWay& block : blocks) sorted[next[static_cast<std::size_t>(block.source)]++] = block;
    return sorted;
  }

  const Call& call_;
  Rank size_;
  Count limit_;
  std::vector<const MemberCounts*> members_;  ///< by rank; nullptr: not known
};

/// Where each block that passes through this rank stands.
class Passing {
 public:
  Passing(Builder& b, const Position& position, const Call& call)
      : b_(b),
        limit_(limit_of(position, call)),
        lengths_(call, b.size(), limit_),
        mine_(
            kept_contribution(b, call),
            own_counts(call, call.send_counts, [&](Rank rank) { return call.block_between(b.me(), rank); })),
        result_(b.output(), own_counts(call, call.receive_counts,
                                       [&](Rank rank) { return call.block_between(rank, b.me()); })),
        places_(static_cast<std::size_t>(b.size())) {
    if (call.placement == Placement::separate) b.copy(mine_.of(b.me()), result_.of(b.me()));
    for (Rank rank = 0; rank < b.size(); ++rank)
      if (const Count length = mine_.of(rank).length; length > 0 && length <= limit_)
        places_of(b.me()).push_back({rank, mine_.of(rank)});
  }

  /// New places for the blocks sources x destinations, in message order; a block for this rank goes to its
  /// output. No other message brings blocks of these sources.
  RangeList take(Ranks sources, Ranks destinations) {
    RangeList places;
    lengths_.for_each(sources, destinations, [&](const BlockOnTheWay& block) {
      const bool is_mine = block.destination == b_.me();
      const Range place = is_mine ? result_.of(block.source) : b_.scratch(block.length);
      if (!is_mine) places_of(block.source).push_back({block.destination, place});
      places.add(place);
    });
    return places;
  }
  RangeList give(Ranks sources, Ranks destinations) {
    RangeList places;
    if (destinations.empty()) return places;
    const RankSet to(b_.size(), destinations);
    for (const Rank source : sources) {
      const std::vector<Place>& all = places_of(source);
      auto place = std::ranges::lower_bound(all, destinations.front(), {}, &Place::destination);
      for (; place != all.end() && place->destination <= destinations.back(); ++place)
        if (to.contains(place->destination)) places.add(place->range);
    }
    return places;
  }
  void receive_directly(Rank peer) {
    if (result_.of(peer).length > limit_) b_.receive(peer, result_.of(peer));
  }
  /// In turn: then all connections to a site grow at the same time.
  void send_directly(Ranks peers) {
    std::vector<Builder::Outgoing> outgoing;
    for (const Rank peer : peers)
      if (direct_length(peer) > 0) outgoing.push_back({peer, {mine_.of(peer)}});
    b_.send_in_turn(outgoing);
  }
  Count direct_length(Rank peer) const {
    const Count length = mine_.of(peer).length;
    return length > limit_ ? length : 0;
  }
  /// Messages that `peer` sends directly, where that is known.
  Rank direct_sends_of(Rank peer) const { return lengths_.receivers_of(peer); }

 private:
  struct Place {
    Rank destination;
    Range range;
  };
  template <class LengthOf>
  std::vector<Count> own_counts(const Call& call, const std::vector<Count>& stated,
                                LengthOf length_of) const {
    if (call.collective != Collective::alltoall) {
      invariant(std::ssize(stated) == b_.size(), "counts of an alltoallv");
      return stated;
    }
    std::vector<Count> all;
    for (Rank rank = 0; rank < b_.size(); ++rank) all.push_back(length_of(rank));
    return all;
  }
  std::vector<Place>& places_of(Rank source) { return places_[static_cast<std::size_t>(source)]; }

  Builder& b_;
  Count limit_;
  BlockLengths lengths_;
  Blocks mine_, result_;
  std::vector<std::vector<Place>> places_;  ///< by source, ascending by destination
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
  for (const auto& equal : in_descending_order(std::move(sendings))) blocks.send_directly(equal);
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
      b, position, std::get<RelayedWay>(choice.way).routes, call,
      [&](Rank destination) { return mine.of(destination); }, [&](Rank source) { return result.of(source); });
  if (call.placement == Placement::separate) b.copy(mine.of(b.me()), result.of(b.me()));
  return std::move(b).finish();
}

}  // namespace wan
