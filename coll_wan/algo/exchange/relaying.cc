// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/relaying.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/index.h"

namespace wan {

RangeList slice(const RangeList& all, Count offset, Count length) {
  RangeList slice;
  RangeCutter cutter{std::span<const Range>(all)};
  cutter.take(offset);
  for (const Range& range : cutter.take(length)) slice.add(range);
  return slice;
}

namespace {

/// The unit of `length` at which the next stripe begins.
Count begin_of(int stripes_before, Count length) {
  return length / kStripes * stripes_before + length % kStripes * stripes_before / kStripes;
}

/// The pieces of what one tree carries, on the way to `to`.
void add_legs(std::vector<Leg>& legs, const Leg& whole, Presence presence, const Segmentation& segmentation) {
  for (Count done = 0, length; done < whole.length; done += length) {
    length = segmentation.length_at(done, whole.length);
    const auto passed =
        static_cast<Nanoseconds>(Wide{presence.last_ns - presence.first_ns} * done / whole.length);
    legs.push_back(
        {whole.source, whole.from, whole.to, whole.offset + done, length, presence.first_ns + passed});
  }
}

void sort(std::vector<Leg>& legs) {
  std::ranges::sort(legs, {},
                    [](const Leg& leg) { return std::tuple(leg.when_ns, leg.source, leg.offset, leg.to); });
}

}  // namespace

SiteLegs legs_of(const Routes& routes, SiteIndex site, std::span<const Count> lengths,
                 const Segmentation& segmentation) {
  SiteLegs legs;
  for (SiteIndex source = 0; source < static_cast<SiteIndex>(routes.trees.size()); ++source) {
    int stripes = 0;
    for (std::size_t i = 0; i < routes.trees[at(source)].size(); ++i) {
      const RouteTree& tree = routes.trees[at(source)][i];
      const Count begin = begin_of(stripes, lengths[at(source)]);
      stripes += tree.stripes;
      for (SiteIndex to = 0; to < static_cast<SiteIndex>(tree.parents.size()); ++to) {
        const SiteIndex from = tree.parents[at(to)];
        if (from == kNoSite || (from != site && to != site)) continue;
        add_legs(to == site ? legs.received : legs.sent,
                 {source, from, to, begin, begin_of(stripes, lengths[at(source)]) - begin, 0},
                 routes.presence[at(source)][i][at(to)], segmentation);
      }
    }
  }
  sort(legs.received);
  sort(legs.sent);
  return legs;
}

Shards stripes_of(std::span<const RouteTree> trees, Count length) {
  Shards shards;
  int before = 0;
  for (const RouteTree& tree : trees) {
    const Count begin = begin_of(before, length);
    before += tree.stripes;
    shards.push_back({std::nullopt, begin, begin_of(before, length) - begin});
  }
  return shards;
}

SiteLegs mirrored(SiteLegs legs) {
  const auto reversed = [](std::vector<Leg> list) {
    for (Leg& leg : list) std::swap(leg.from, leg.to);
    std::ranges::reverse(list);
    return list;
  };
  return {reversed(std::move(legs.sent)), reversed(std::move(legs.received))};
}

void exchange_relayed(Builder& b, const Position& position, const SiteLegs& legs,
                      std::span<const RangeList> places) {
  for (const Leg& leg : legs.received)
    b.add(StepKind::receive, position.coordinator_of(leg.from), {},
          slice(places[at(leg.source)], leg.offset, leg.length));
  for (const Leg& leg : legs.sent)
    b.add(StepKind::send, position.coordinator_of(leg.to),
          slice(places[at(leg.source)], leg.offset, leg.length), {});
}

namespace {

/// By which sites some stripes of what a site sends to another go.
struct BlockRoute {
  std::vector<SiteIndex> sites;      ///< from the source to the destination
  std::vector<Nanoseconds> when_ns;  ///< at each of them
  int first_stripe = 0, stripes = 0;
};

/// The ways from `from` to `to`; trees with the same way are one if they follow each other.
std::vector<BlockRoute> routes_between(const Routes& routes, SiteIndex from, SiteIndex to) {
  if (from == to) return {{{from, to}, {0, 0}, 0, kStripes}};
  std::vector<BlockRoute> ways;
  int stripes = 0;
  for (std::size_t i = 0; i < routes.trees[at(from)].size(); ++i) {
    const RouteTree& tree = routes.trees[at(from)][i];
    BlockRoute way{{to}, {}, stripes, tree.stripes};
    while (way.sites.back() != from) way.sites.push_back(tree.parents[at(way.sites.back())]);
    std::ranges::reverse(way.sites);
    for (const SiteIndex site : way.sites)
      way.when_ns.push_back(site == from ? 0 : routes.presence[at(from)][i][at(site)].first_ns);
    if (!ways.empty() && ways.back().sites == way.sites)
      ways.back().stripes += tree.stripes;
    else
      ways.push_back(std::move(way));
    stripes += tree.stripes;
  }
  return ways;
}

class BlockLegs {
 public:
  BlockLegs(const Position& position, const Routes& routes, const Call& call,
            const Segmentation& segmentation)
      : position_(position), routes_(routes), call_(call), segmentation_(segmentation) {}

  /// Of what is there at the same time a piece of each block in turn, as the processes of a site send side by
  /// side.
  std::vector<BlockLeg> all() {
    const SiteIndex sites = position_.layout().sites();
    for (SiteIndex from = 0; from < sites; ++from)
      for (SiteIndex to = 0; to < sites; ++to) add_pair(from, to);
    std::ranges::sort(legs_, {}, [](const BlockLeg& leg) {
      return std::tuple(leg.when_ns, leg.offset, leg.source, leg.destination);
    });
    return std::move(legs_);
  }

 private:
  void add_pair(SiteIndex from, SiteIndex to) {
    if (from != to && routes_.trees[at(from)].empty()) return;
    if (is_to_root() && to != root_site()) return;
    if (is_from_root() && from != root_site()) return;
    for (const BlockRoute& way : routes_between(routes_, from, to))
      if (std::ranges::find(way.sites, position_.site()) != way.sites.end()) add_way(from, to, way);
  }
  void add_way(SiteIndex from, SiteIndex to, const BlockRoute& way) {
    for (const Rank source : position_.ranks_of(from))
      for (const Rank destination : position_.ranks_of(to)) {
        if (source == destination || (is_to_root() && destination != call_.root) ||
            (is_from_root() && source != call_.root))
          continue;
        add_block(source, destination, way);
      }
  }
  void add_block(Rank source, Rank destination, const BlockRoute& way) {
    const Count begin = begin_of(way.first_stripe, call_.block);
    const Count length = begin_of(way.first_stripe + way.stripes, call_.block) - begin;
    if (length == 0) return;
    const std::size_t hops = way.sites.size() - 1;
    for (std::size_t hop = 0; hop < hops; ++hop) {
      const Rank from = hop == 0 ? source : relay(way.sites[hop], source, destination);
      const Rank to = hop + 1 == hops ? destination : relay(way.sites[hop + 1], source, destination);
      const Nanoseconds when = hop == 0 ? (hops > 1 ? -1 : 0) : way.when_ns[hop];
      if (from != position_.me() && to != position_.me()) continue;
      for (Count done = 0, piece; done < length; done += piece) {
        piece = segmentation_.length_at(done, length);
        legs_.push_back({source, destination, from, to, begin + done, piece, when});
      }
    }
  }
  /// The ranks of a site share what it passes on.
  Rank relay(SiteIndex site, Rank source, Rank destination) const {
    const auto ranks = position_.ranks_of(site);
    return ranks[static_cast<std::size_t>(source + destination) % ranks.size()];
  }
  bool is_to_root() const { return call_.collective == Collective::gather; }
  bool is_from_root() const { return call_.collective == Collective::scatter; }
  SiteIndex root_site() const { return position_.layout().site_of(call_.root); }

  const Position& position_;
  const Routes& routes_;
  const Call& call_;
  const Segmentation& segmentation_;
  std::vector<BlockLeg> legs_;
};

}  // namespace

std::vector<BlockLeg> block_legs_of(const Position& position, const Routes& routes, const Call& call,
                                    const Segmentation& segmentation) {
  return BlockLegs(position, routes, call, segmentation).all();
}

namespace {

/// In the order of starting: what is there first, of that the farthest, each rank beginning behind itself.
void sort_for_sending(std::vector<BlockLeg>& legs, const Position& position) {
  const Layout& layout = position.layout();
  const auto key = [&](const BlockLeg& leg) {
    const SiteIndex there = layout.site_of(leg.to);
    const Nanoseconds latency =
        there == position.site() ? -1 : position.network().link(position.site(), there).latency_ns;
    return std::tuple(leg.when_ns, -latency, (leg.to - position.me() + position.size()) % position.size());
  };
  std::ranges::stable_sort(legs, {}, key);
}

}  // namespace

void exchange_blocks_relayed(Builder& b, const Position& position, const Routes& routes, const Call& call,
                             const BlockPlace& own, const BlockPlace& result) {
  std::vector<BlockLeg> legs = block_legs_of(position, routes, call, b.segmentation());
  using Ranges = Builder::Ranges;
  std::map<std::tuple<Rank, Rank, Count>, Range> held;
  for (const BlockLeg& leg : legs) {
    if (leg.to != b.me()) continue;
    const bool is_here = leg.destination == b.me();
    const Range place = is_here ? result(leg.source).slice(leg.offset, leg.length) : b.scratch(leg.length);
    if (!is_here) held[{leg.source, leg.destination, leg.offset}] = place;
    b.add(StepKind::receive, leg.from, {}, Ranges(&place, 1));
  }
  sort_for_sending(legs, position);
  for (const BlockLeg& leg : legs) {
    if (leg.from != b.me()) continue;
    const bool is_own = leg.source == b.me();
    const Range place = is_own ? own(leg.destination).slice(leg.offset, leg.length)
                               : held.at({leg.source, leg.destination, leg.offset});
    b.add(StepKind::send, leg.to, Ranges(&place, 1), {});
  }
}

}  // namespace wan
