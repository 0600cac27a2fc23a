// SPDX-License-Identifier: BSD-3-Clause
// Reduce_scatter(_block): each site reduces whole vectors up its tree; each coordinator sends every other
// site that site's blocks of its partials, joins what it gets for its own, and scatters down its tree.
//
//   1, 2 -> 0 ===> 3: blocks 3, 4;  0 <=== 3: blocks 0 1 2;  0 -> 1, 2     WAN: one latency, for each run of
//   the sending
//   site the receiving site's blocks.
//
// Long vectors go segment by segment, those of all other sites' blocks in turn and then the own site's, so
// that all links are fed from the beginning. Relayed (algo/exchange/relaying.h), sums are made on the way:
// the same bytes over other links. Lanes (algo/exchange/lanes.h) share each site's blocks.
//
// On an intercommunicator each half of a site (algo/choice/halves.h) gets the other group's partials, of
// whole vectors at once; all of them in a reduce_scatter, where a group does not know the counts of the
// other.
#include <algorithm>
#include <map>
#include <numeric>

#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/partial.h"
#include "algo/exchange/relaying.h"

namespace wan {

namespace {

using Counts = std::vector<Count>;

Counts counts_of(const Call& call, Rank size) {
  if (call.collective == Collective::reduce_scatter) return call.receive_counts;
  return Counts(static_cast<std::size_t>(size), call.block);
}

Count length_for(std::span<const Rank> ranks, const Counts& counts) {
  return std::accumulate(ranks.begin(), ranks.end(), Count{0},
                         [&](Count sum, Rank rank) { return sum + counts[static_cast<std::size_t>(rank)]; });
}

/// The blocks of these ranks in each of the vectors, one vector after the other.
RangeList blocks_for(std::span<const Rank> ranks, std::span<const Partial> vectors, const Blocks& blocks) {
  RangeList list;
  for (const Partial& vector : vectors) list.add(blocks.of(ranks, vector.value));
  return list;
}

/// Partials of one site, cut down to the own site's blocks.
std::vector<Partial> own_blocks_of(Builder& b, const Position& position, SiteIndex site,
                                   std::span<const Partial> own, const Call& call, const Blocks& blocks,
                                   Count length) {
  auto partials = new_partials(b, runs_of(position.ranks_of(site), call.combining()), length);
  if (site == position.site())
    b.copy(blocks_for(position.ranks_of(site), own, blocks), values_of(partials));
  else
    b.receive(position.coordinator_of(site), values_of(partials));
  return partials;
}

/// Exchanges with the other coordinators; returns the own site's blocks of the result, in the order of its
/// ranks.
Range exchange(Builder& b, const Position& position, std::span<const Partial> own, const Call& call,
               const Counts& counts) {
  const Blocks blocks(own.front().value, counts);
  for (const SiteIndex site : position.other_sites())
    b.send(position.coordinator_of(site), blocks_for(position.ranks_of(site), own, blocks));
  const Count length = length_for(position.ranks_of(position.site()), counts);
  std::vector<Partial> all;
  for (SiteIndex site = 0; site < position.layout().sites(); ++site) {
    const auto partials = own_blocks_of(b, position, site, own, call, blocks, length);
    all.insert(all.end(), partials.begin(), partials.end());
  }
  return product(b, std::move(all), call.combining()).value;
}

using Positions = std::vector<Position>;  ///< of this rank, by lane
/// By lane: its share of the blocks of the own site, where this rank coordinates it.
using Results = std::vector<std::optional<Range>>;

/// What each lane has of these blocks.
std::vector<RangeList> shares_of_lanes(const RangeList& blocks, std::size_t lanes) {
  std::vector<RangeList> shares;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const LaneShare share = share_of(blocks.length(), static_cast<int>(lane), static_cast<int>(lanes));
    shares.push_back(slice(blocks, share.offset, share.length));
  }
  return shares;
}

/// Every other site's blocks: reduced up the trees and sent, segment by segment.
void reduce_for_others(Builder& b, const Positions& lanes, Range own, const Call& call,
                       const Counts& counts) {
  const Blocks blocks(own, counts);
  const auto sites = lanes.front().other_sites();
  std::vector<RangeList> streams;
  for (const SiteIndex site : sites)
    for (RangeList& share : shares_of_lanes(blocks.of(lanes.front().ranks_of(site)), lanes.size()))
      streams.push_back(std::move(share));
  for (const Turn& turn : turns_of(streams, b.segmentation())) {
    const Position& position = lanes[turn.stream % lanes.size()];
    for (const Range& range : std::span<const Range>(turn.segment)) {
      const auto partials = reduce_in_site(b, position, range, call.combining());
      if (position.is_coordinator())
        b.send(position.coordinator_of(sites[turn.stream / lanes.size()]), values_of(partials));
    }
  }
}

/// Places for what this rank's lanes bring.
Results new_results(Builder& b, const Positions& lanes, std::span<const RangeList> shares) {
  Results results(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].is_coordinator()) results[i] = b.scratch(shares[i].length());
  return results;
}

/// The own site's blocks: reduced up the trees and joined with what the other coordinators send.
Results reduce_for_own_site(Builder& b, const Positions& lanes, Range own, const Call& call,
                            const Counts& counts) {
  const auto shares =
      shares_of_lanes(Blocks(own, counts).of(lanes.front().ranks_of(lanes.front().site())), lanes.size());
  Results results = new_results(b, lanes, shares);
  std::vector<Count> done(lanes.size(), 0);
  for (const Turn& turn : turns_of(shares, b.segmentation())) {
    const Position& position = lanes[turn.stream];
    for (const Range& range : std::span<const Range>(turn.segment)) {
      const auto partials = reduce_in_site(b, position, range, call.combining());
      if (!position.is_coordinator()) continue;
      const auto all = partials_of_sites(b, position, partials, range.length, call.combining());
      b.copy(product(b, all, call.combining()).value,
             results[turn.stream]->slice(done[turn.stream], range.length));
      done[turn.stream] += range.length;
    }
  }
  return results;
}

/// Of one lane the mirror image of an allgather: what is for a site comes to it over trees, and every site on
/// the way adds what it has.
class RelayedReduction {
 public:
  RelayedReduction(Builder& b, const Position& position, Range own, const Counts& counts,
                   const Choice& choice, std::size_t lane)
      : b_(b), position_(position), site_(static_cast<std::size_t>(position.site())) {
    std::vector<Count> lengths;
    for (SiteIndex site = 0; site < position.layout().sites(); ++site) {
      const RangeList blocks = Blocks(own, counts).of(position.ranks_of(site));
      vectors_.push_back(shares_of_lanes(blocks, static_cast<std::size_t>(choice.lanes))[lane]);
      lengths.push_back(vectors_.back().length());
    }
    legs_ = mirrored(
        legs_of(std::get<RelayedWay>(choice.way).routes, position.site(), lengths, b.segmentation()));
  }

  /// Of the result what the lane has of the own site's blocks, at the coordinator.
  std::optional<Range> run() {
    if (position_.is_coordinator()) receive();
    for (const Leg& leg : legs_.sent) {
      const Range sum = add(vectors_[static_cast<std::size_t>(leg.source)], leg);
      if (position_.is_coordinator())
        b_.add(StepKind::send, position_.coordinator_of(leg.to), Builder::Ranges(&sum, 1), {});
    }
    const RangeList& own = vectors_[site_];
    const Range result = b_.scratch(position_.is_coordinator() ? own.length() : 0);
    reduce_in_site_to(result, own);
    for (const auto& [piece, values] : received_)
      if (piece.first == position_.site())
        for (const Range& value : values) b_.reduce(value, result.slice(piece.second, value.length));
    return position_.is_coordinator() ? std::optional(result) : std::nullopt;
  }

 private:
  void receive() {
    for (const Leg& leg : legs_.received) {
      const Range place = b_.scratch(leg.length);
      b_.add(StepKind::receive, position_.coordinator_of(leg.from), {}, Builder::Ranges(&place, 1));
      received_[{leg.source, leg.offset}].push_back(place);
    }
  }
  /// What the own site and those that send it theirs have of a piece, at the coordinator.
  Range add(const RangeList& vector, const Leg& leg) {
    const Range sum = b_.scratch(position_.is_coordinator() ? leg.length : 0);
    reduce_in_site_to(sum, slice(vector, leg.offset, leg.length));
    if (const auto found = received_.find({leg.source, leg.offset}); found != received_.end())
      for (const Range& value : found->second) b_.reduce(value, sum);
    return sum;
  }
  void reduce_in_site_to(Range sum, const RangeList& ranges) {
    Count done = 0;
    for (const Range& range : std::span<const Range>(ranges)) {
      const auto partials = reduce_in_site(b_, position_, range, OperandOrder::any);
      if (position_.is_coordinator()) b_.copy(partials.front().value, sum.slice(done, range.length));
      done += range.length;
    }
  }

  Builder& b_;
  const Position& position_;
  std::size_t site_;
  std::vector<RangeList> vectors_;  ///< this rank's contribution, by the site that it is for
  SiteLegs legs_;
  std::map<std::pair<SiteIndex, Count>, std::vector<Range>>
      received_;  ///< by the site it is for and where there
};

/// What a lane has of each block of the own site: where in it, and how much; of other sites nothing.
std::vector<LaneShare> shares_of_ranks(const Position& position, const Counts& counts, std::size_t lane,
                                       std::size_t lanes) {
  const auto here = position.ranks_of(position.site());
  Counts blocks;
  for (const Rank rank : here) blocks.push_back(counts[static_cast<std::size_t>(rank)]);
  const auto shares = shares_of(blocks, static_cast<int>(lane), static_cast<int>(lanes));
  std::vector<LaneShare> of_ranks(counts.size());
  for (std::size_t i = 0; i < shares.size(); ++i) of_ranks[static_cast<std::size_t>(here[i])] = shares[i];
  return of_ranks;
}

/// Receives what the subtree gets from the parent, unless it is `result` (the site's blocks, at the
/// coordinator), and hands it on. shares: of each rank's block, what is meant.
void scatter_in_site(Builder& b, const Position& position, std::span<const LaneShare> shares,
                     std::optional<Range> result) {
  Counts counts;
  for (const LaneShare& share : shares) counts.push_back(share.length);
  const LaneShare mine = shares[static_cast<std::size_t>(b.me())];
  const SubtreeBlocks blocks(b, b.output().slice(mine.offset, mine.length),
                             position.tree().subtree_of(b.me()), counts);
  if (result)
    b.copy(Builder::Ranges(&*result, 1), blocks.all());
  else
    b.receive(*position.parent(), blocks.all());
  for (const Rank child : position.children()) b.send(child, blocks.of(position.tree().subtree_of(child)));
}

void scatter_in_site(Builder& b, const Positions& lanes, const Counts& counts, const Results& results) {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    scatter_in_site(b, lanes[i], shares_of_ranks(lanes[i], counts, i, lanes.size()), results[i]);
}

Results reduce_relayed(Builder& b, const Positions& lanes, Range own, const Counts& counts,
                       const Choice& choice) {
  Results results;
  for (std::size_t i = 0; i < lanes.size(); ++i)
    results.push_back(RelayedReduction(b, lanes[i], own, counts, choice, i).run());
  return results;
}

/// Segment by segment.
Results reduce_long(Builder& b, const Positions& lanes, Range own, const Call& call, const Counts& counts) {
  reduce_for_others(b, lanes, own, call, counts);
  return reduce_for_own_site(b, lanes, own, call, counts);
}

/// Whole vectors, in one lane.
Results reduce_short(Builder& b, const Position& position, Range own, const Call& call,
                     const Counts& counts) {
  const auto partials = reduce_in_site(b, position, own, call.combining());
  return {position.is_coordinator() ? std::optional(exchange(b, position, partials, call, counts))
                                    : std::nullopt};
}

/// reduce_scatter_block: what a rank of the other group gets.
Counts counts_of_others(const Call& call, Rank me, Rank size) {
  Counts counts(static_cast<std::size_t>(size), 0);
  const RankInterval others = partners_of(me, call.split, size);
  std::fill(counts.begin() + others.first, counts.begin() + others.end, call.block / others.size());
  return counts;
}

/// At the coordinator of a half: its blocks of the other group's result, in the order of its ranks.
Range exchange_with_others(Builder& b, const Position& position, std::span<const Partial> own,
                           const Call& call, const Counts& counts) {
  const auto here = position.ranks_of(position.site());
  const bool is_whole = call.collective == Collective::reduce_scatter;
  const Blocks blocks(own.front().value, is_whole ? Counts{} : counts_of_others(call, b.me(), b.size()));
  for (const SiteIndex site : position.other_sites()) {
    const Rank coordinator = position.coordinator_of(site);
    is_whole ? b.send(coordinator, values_of(own))
             : b.send(coordinator, blocks_for(position.ranks_of(site), own, blocks));
  }
  const Count length = length_for(here, counts);
  const auto all =
      partials_of_sites(b, position, {}, is_whole ? own.front().value.length : length, call.combining());
  const Range sum = product(b, all, call.combining()).value;
  if (!is_whole) return sum;
  const Range result = b.scratch(length);
  b.copy(Blocks(sum, counts).of(here), Builder::Ranges(&result, 1));
  return result;
}

Program plan_between_groups(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (b.input().length == 0) return std::move(b).finish();
  Counts counts = call.receive_counts;
  if (call.collective == Collective::reduce_scatter_block)
    counts.assign(static_cast<std::size_t>(b.size()), b.output().length);
  const auto partials = reduce_in_site(b, position, b.input(), call.combining());
  const bool coordinates = position.is_coordinator();
  scatter_in_site(b, {position}, counts,
                  {coordinates ? std::optional(exchange_with_others(b, position, partials, call, counts))
                               : std::nullopt});
  return std::move(b).finish();
}

}  // namespace

Program plan_reduce_scatter(const Position& position, const Call& call, const Choice& choice) {
  if (call.is_inter()) return plan_between_groups(position, call, choice);
  Builder b = builder_for(position, call, choice);
  const Counts counts = counts_of(call, b.size());
  const Count total = std::accumulate(counts.begin(), counts.end(), Count{0});
  if (total == 0) return std::move(b).finish();
  const Positions lanes = position.in_lanes(choice.lanes);
  const Range own = is_coordinator_of_any(lanes) ? kept_contribution(b, call) : contribution(b, call);
  const bool is_long = total > b.segmentation().segment || choice.lanes > 1;
  scatter_in_site(b, lanes, counts,
                  std::holds_alternative<RelayedWay>(choice.way)
                      ? reduce_relayed(b, lanes, own, counts, choice)
                  : is_long ? reduce_long(b, lanes, own, call, counts)
                            : reduce_short(b, position, own, call, counts));
  return std::move(b).finish();
}

}  // namespace wan
