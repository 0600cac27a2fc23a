// SPDX-License-Identifier: BSD-3-Clause
// Allgather(v) (papers/004, section 3.3): gather to the coordinator of each site, exchange the sites' blocks between all
// coordinators, and down each tree what the subtree does not hold. Every block travels from and to its place in the output.
//
//   0 <- 1, 2;  0 <===> 3;  0 -> 1, 2      WAN: one latency, a site's blocks into each other site.
//                                          Relayed (algo/relaying.h): more latencies, the same bytes over other links.
#include <algorithm>
#include <iterator>

#include "algo/blocks.h"
#include "algo/collectives.h"
#include "algo/relaying.h"

namespace wan {

namespace {

class Allgather {
 public:
  Allgather(Builder& b, const Position& position, const Call& call, const Choice& choice)
      : b_(b),
        position_(position),
        blocks_(call.collective == Collective::allgatherv ? Blocks(b.output(), call.receive_counts)
                                                          : Blocks(b.output(), call.block, b.size())),
        is_relayed_(choice.routes.has_value()) {
    for (SiteIndex site = 0; site < position.layout().sites(); ++site) of_sites_.push_back(blocks_.of(position.ranks_of(site)));
    if (call.placement == Placement::separate) b.copy(b.input(), blocks_.of(b.me()));
    if (is_relayed_) legs_ = legs_of(*choice.routes, position.site(), lengths_of_sites(), b.segmentation());
  }

  void up() {
    for (const Rank child : position_.children()) b_.receive(child, blocks_.of(subtree_of(child)));
    if (const auto parent = position_.parent()) b_.send(*parent, blocks_.of(subtree_of(b_.me())));
  }
  void between_sites() {
    if (is_relayed_) return exchange_relayed(b_, position_, legs_, of_sites_);
    for (const SiteIndex site : position_.other_sites()) b_.send(position_.coordinator_of(site), of_site(position_.site()));
    for (const SiteIndex site : position_.other_sites()) b_.receive(position_.coordinator_of(site), of_site(site));
  }
  void down() {
    for (const Rank child : position_.children())
      for (const RangeList& part : from_above(subtree_of(child))) b_.send(child, part);
  }
  void receive_from_above() {
    for (const RangeList& part : from_above(subtree_of(b_.me()))) b_.receive(*position_.parent(), part);
  }

 private:
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
    const RangeList own = blocks_.of(rest);
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
  Blocks blocks_;
  std::vector<RangeList> of_sites_;
  bool is_relayed_;
  SiteLegs legs_;
};

}  // namespace

Program plan_allgather(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  Allgather allgather(b, position, call, choice);
  allgather.up();
  if (position.parent())
    allgather.receive_from_above();
  else
    allgather.between_sites();
  allgather.down();
  return std::move(b).finish();
}

}  // namespace wan
