// SPDX-License-Identifier: BSD-3-Clause
// Allgather(v) (papers/004, section 3.3): gather to the coordinator of each site, exchange the sites' blocks between all
// coordinators, and down each tree what the subtree does not hold. Every block travels from and to its place in the output.
//
//   0 <- 1, 2;  0 <===> 3;  0 -> 1, 2      WAN: one latency, a site's blocks into each other site.
//                                          Relayed (algo/relaying.h): more latencies, the same bytes over other links.
//                                          Lanes (algo/lanes.h) share each site's blocks.
#include <algorithm>
#include <iterator>

#include "algo/blocks.h"
#include "algo/collectives.h"
#include "algo/lanes.h"
#include "algo/relaying.h"

namespace wan {

namespace {

Blocks blocks_of(const Builder& b, const Call& call) {
  return call.collective == Collective::allgatherv ? Blocks(b.output(), call.receive_counts)
                                                   : Blocks(b.output(), call.block, b.size());
}

/// What one lane carries.
class Allgather {
 public:
  Allgather(Builder& b, const Position& position, const Blocks& blocks, const Choice& choice, int lane)
      : b_(b), position_(position), is_relayed_(choice.routes.has_value()) {
    for (SiteIndex site = 0; site < position.layout().sites(); ++site)
      of_sites_.push_back(share(blocks, position.ranks_of(site), lane, choice.lanes));
    if (is_relayed_) legs_ = legs_of(*choice.routes, position.site(), lengths_of_sites(), b.segmentation());
  }

  void up() {
    for (const Rank child : position_.children()) b_.receive(child, of(subtree_of(child)));
    if (const auto parent = position_.parent()) b_.send(*parent, of(subtree_of(b_.me())));
  }
  void between_sites() {
    if (!position_.is_coordinator()) return;
    if (is_relayed_) return exchange_relayed(b_, position_, legs_, of_sites_);
    for (const SiteIndex site : position_.other_sites()) b_.send(position_.coordinator_of(site), of_site(position_.site()));
    for (const SiteIndex site : position_.other_sites()) b_.receive(position_.coordinator_of(site), of_site(site));
  }
  void down() {
    if (const auto parent = position_.parent())
      for (const RangeList& part : from_above(subtree_of(b_.me()))) b_.receive(*parent, part);
    for (const Rank child : position_.children())
      for (const RangeList& part : from_above(subtree_of(child))) b_.send(child, part);
  }

 private:
  /// The lane's share of the blocks of a site; of the own site also by rank.
  RangeList share(const Blocks& blocks, std::span<const Rank> ranks, int lane, int lanes) {
    std::vector<Count> lengths;
    for (const Rank rank : ranks) lengths.push_back(blocks.of(rank).length);
    const auto shares = shares_of(lengths, lane, lanes);
    RangeList all;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const Range part = blocks.of(ranks[i]).part(shares[i].offset, shares[i].length);
      all.add(part);
      if (ranks.front() == position_.ranks_of(position_.site()).front()) of_ranks_.push_back(part);
    }
    return all;
  }
  RangeList of(std::span<const Rank> ranks) const {
    const auto here = position_.ranks_of(position_.site());
    RangeList list;
    for (const Rank rank : ranks)
      list.add(of_ranks_[static_cast<std::size_t>(std::ranges::lower_bound(here, rank) - here.begin())]);
    return list;
  }
  const RangeList& of_site(SiteIndex site) const { return of_sites_[static_cast<std::size_t>(site)]; }
  std::vector<Rank> subtree_of(Rank rank) const { return position_.tree().subtree_of(rank); }

  std::vector<Count> lengths_of_sites() const {
    std::vector<Count> lengths;
    for (const RangeList& place : of_sites_) lengths.push_back(place.length());
    return lengths;
  }

  /// What a subtree gets from above: the blocks of the rest of its site, and those of every other site, in turn, or as they come.
  std::vector<RangeList> from_above(const std::vector<Rank>& subtree) const {
    std::vector<Rank> rest;
    std::ranges::set_difference(position_.ranks_of(position_.site()), subtree, std::back_inserter(rest));
    const RangeList own = of(rest);
    if (is_relayed_) return as_they_come(own);
    std::vector<RangeList> streams = of_sites_;
    streams[static_cast<std::size_t>(position_.site())] = own;
    return in_turn(streams, b_.segmentation());
  }
  std::vector<RangeList> as_they_come(const RangeList& own) const {
    std::vector<RangeList> pieces{own};
    for (const Leg& leg : legs_.received) pieces.push_back(slice(of_site(leg.source), leg.offset, leg.length));
    return pieces;
  }

  Builder& b_;
  const Position& position_;
  std::vector<RangeList> of_sites_;
  std::vector<Range> of_ranks_;  ///< of the own site
  bool is_relayed_;
  SiteLegs legs_;
};

}  // namespace

Program plan_allgather(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Blocks blocks = blocks_of(b, call);
  if (call.placement == Placement::separate) b.copy(b.input(), blocks.of(b.me()));
  const std::vector<Position> positions = positions_of(position, choice.lanes);
  std::vector<Allgather> lanes;
  for (const Position& of_lane : positions) lanes.emplace_back(b, of_lane, blocks, choice, static_cast<int>(lanes.size()));
  for (Allgather& lane : lanes) lane.up();
  for (Allgather& lane : lanes) lane.between_sites();
  for (Allgather& lane : lanes) lane.down();
  return std::move(b).finish();
}

}  // namespace wan
