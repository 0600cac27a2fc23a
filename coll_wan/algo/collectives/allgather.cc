// SPDX-License-Identifier: BSD-3-Clause
// Allgather(v) (papers/004, section 3.3): gather to the coordinator of each site, exchange the sites' blocks
// between all coordinators, and down each tree what the subtree does not hold. Every block travels from and
// to its place in the output.
//
//   0 <- 1, 2;  0 <===> 3;  0 -> 1, 2      WAN: one latency, a site's blocks into each other site.
//                                          Relayed (algo/exchange/relaying.h): more latencies, the same bytes
//                                          over other links. Lanes (algo/exchange/lanes.h) share each site's
//                                          blocks.
// On an intercommunicator each site's half (algo/choice/halves.h) gets the blocks of the other group, and the
// own group's are kept in scratch on their way. There the others of a group do not know what a rank gives to
// an allgatherv: it goes from each rank to each coordinator of the other group.
#include <algorithm>
#include <iterator>

#include "algo/collectives/collectives.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/relaying.h"

namespace wan {

namespace {

/// The blocks that ranks get, in the output.
Blocks blocks_of(const Builder& b, const Call& call) {
  if (call.collective == Collective::allgatherv) return {b.output(), call.receive_counts};
  std::vector<Count> counts;
  for (Rank source = 0; source < b.size(); ++source) counts.push_back(call.block_between(source, b.me()));
  return {b.output(), counts};
}

using Positions = std::vector<Position>;  ///< of this rank, by lane

bool has_children(const Positions& lanes) {
  return std::ranges::any_of(lanes, [](const Position& position) { return !position.children().empty(); });
}

/// Where the block of each rank stands.
std::vector<Range> places_of(Builder& b, const Positions& lanes, const Call& call) {
  const Blocks blocks = blocks_of(b, call);
  std::vector<Range> places;
  for (Rank rank = 0; rank < b.size(); ++rank) places.push_back(blocks.of(rank));
  if (!call.is_inter() || call.collective == Collective::allgatherv) return places;
  const Position& position = lanes.front();
  const bool passes_on = has_children(lanes);
  const Range nowhere{Buffer::scratch, 0,
                      b.input().length};  // of a block that this rank has nothing to do with
  for (const Rank rank : position.ranks_of(position.site()))
    places[static_cast<std::size_t>(rank)] = passes_on ? b.scratch(nowhere.length) : nowhere;
  places[static_cast<std::size_t>(b.me())] = b.input();
  return places;
}

/// What one lane carries. places: of each rank's block.
class Allgather {
 public:
  Allgather(Builder& b, const Position& position, std::span<const Range> places, const Choice& choice,
            int lane)
      : b_(b), position_(position) {
    for (SiteIndex site = 0; site < position.layout().sites(); ++site)
      of_sites_.push_back(share(places, position.ranks_of(site), lane, choice.lanes));
    if (const auto* relayed = std::get_if<RelayedWay>(&choice.way))
      legs_ = legs_of(relayed->routes, position.site(), lengths_of_sites(), b.segmentation());
  }

  void up() {
    for (const Rank child : position_.children()) b_.receive(child, of(subtree_of(child)));
    if (const auto parent = position_.parent()) b_.send(*parent, of(subtree_of(b_.me())));
  }
  /// What it sends to the other sites, if no site passes anything on.
  void add_outgoing(std::vector<Builder::Outgoing>& outgoing) const {
    if (!position_.is_coordinator() || legs_) return;
    const std::span<const Range> own = of_site(position_.site());
    for (const SiteIndex site : position_.other_sites())
      outgoing.push_back({position_.coordinator_of(site), {own.begin(), own.end()}});
  }
  void from_other_sites() {
    if (!position_.is_coordinator()) return;
    if (legs_) return exchange_relayed(b_, position_, *legs_, of_sites_);
    for (const SiteIndex site : position_.other_sites())
      b_.receive(position_.coordinator_of(site), of_site(site));
  }
  void down() {
    if (const auto parent = position_.parent())
      for (const RangeList& part : from_above(subtree_of(b_.me()))) b_.receive(*parent, part);
    for (const Rank child : position_.children())
      for (const RangeList& part : from_above(subtree_of(child))) b_.send(child, part);
  }

 private:
  /// The lane's share of the blocks of a site; of the own site also by rank.
  RangeList share(std::span<const Range> places, std::span<const Rank> ranks, int lane, int lanes) {
    const auto place = [&](Rank rank) { return places[static_cast<std::size_t>(rank)]; };
    std::vector<Count> lengths;
    for (const Rank rank : ranks) lengths.push_back(place(rank).length);
    const auto shares = shares_of(lengths, lane, lanes);
    RangeList all;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const Range part = place(ranks[i]).slice(shares[i].offset, shares[i].length);
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

  /// What a subtree gets from above: the blocks of the rest of its site, and those of every other site, in
  /// turn, or as they come.
  std::vector<RangeList> from_above(const std::vector<Rank>& subtree) const {
    std::vector<Rank> rest;
    std::ranges::set_difference(position_.ranks_of(position_.site()), subtree, std::back_inserter(rest));
    const RangeList own = position_.hears(position_.site()) ? of(rest) : RangeList{};
    if (legs_) return as_they_come(own);
    std::vector<RangeList> streams = of_sites_;
    streams[static_cast<std::size_t>(position_.site())] = own;
    return in_turn(streams, b_.segmentation(), b_.neighbor_segmentation());
  }
  std::vector<RangeList> as_they_come(const RangeList& own) const {
    std::vector<RangeList> pieces{own};
    for (const Leg& leg : legs_->received)
      pieces.push_back(slice(of_site(leg.source), leg.offset, leg.length));
    return pieces;
  }

  Builder& b_;
  const Position& position_;
  std::vector<RangeList> of_sites_;
  std::vector<Range> of_ranks_;   ///< of the own site
  std::optional<SiteLegs> legs_;  ///< where it is relayed
};

/// From each rank to each coordinator of the other group.
void exchange_one_by_one(Builder& b, const Position& position, std::span<const Range> places) {
  for (const SiteIndex site : position.other_sites()) b.send(position.coordinator_of(site), b.input());
  if (!position.is_coordinator()) return;
  for (const SiteIndex site : position.other_sites())
    for (const Rank rank : position.ranks_of(site)) b.receive(rank, places[static_cast<std::size_t>(rank)]);
}

}  // namespace

Program plan_allgather(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const Positions positions = position.in_lanes(choice.lanes);
  const std::vector<Range> places = places_of(b, positions, call);
  std::vector<Allgather> lanes;
  for (const Position& of_lane : positions)
    lanes.emplace_back(b, of_lane, places, choice, static_cast<int>(lanes.size()));
  if (call.is_inter() && call.collective == Collective::allgatherv) {
    exchange_one_by_one(b, position, places);
  } else {
    if (!call.is_inter() && call.placement == Placement::separate)
      b.copy(b.input(), places[static_cast<std::size_t>(b.me())]);
    for (Allgather& lane : lanes) lane.up();
    std::vector<Builder::Outgoing> outgoing;
    for (const Allgather& lane : lanes) lane.add_outgoing(outgoing);
    b.send_in_turn(outgoing);
    for (Allgather& lane : lanes) lane.from_other_sites();
  }
  for (Allgather& lane : lanes) lane.down();
  return std::move(b).finish();
}

}  // namespace wan
