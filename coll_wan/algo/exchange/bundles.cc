// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/bundles.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "algo/exchange/blocks.h"
#include "algo/exchange/position.h"
#include "base/invariant.h"
#include "cost/model.h"
#include "plan/builder.h"

namespace wan {

namespace {

/// More edges from one site to another are not listed: where there are so many, each has its own message.
constexpr Count kMostCrossings = 1 << 16;

/// Of one edge, to a site or from it.
enum class EdgeDirection : std::uint8_t { out, in };

/// Where crossing_numbers() has the number of edges.
std::size_t place_of(SiteIndex site, EdgeDirection direction) {
  return 2 * static_cast<std::size_t>(site) + (direction == EdgeDirection::in ? 1 : 0);
}
std::size_t width_of(const Layout& layout) {
  return place_of(layout.sites(), EdgeDirection::out);
}

/// The other ends of this rank's edges to or from `site`; those of one rank in pairing order.
std::vector<Rank> other_ends(const Layout& layout, const std::vector<Edge>& edges, SiteIndex site) {
  std::vector<Rank> ends;
  for (const Edge& edge : edges)
    if (edge.peer >= 0 && layout.site_of(edge.peer) == site) ends.push_back(edge.peer);
  std::ranges::stable_sort(ends);
  return ends;
}

/// The edges to a site, or from it.
struct List {
  SiteIndex site;
  EdgeDirection direction;
};
/// Those that each rank of `here` lists, in this order: where more than one edge goes.
std::vector<List> lists_of(const Layout& layout, SiteIndex here, std::span<const Count> numbers) {
  const std::size_t width = width_of(layout);
  std::vector<List> lists;
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    if (site == here) continue;
    for (const EdgeDirection direction : {EdgeDirection::out, EdgeDirection::in}) {
      Count all = 0;
      for (std::size_t at = place_of(site, direction); at < numbers.size(); at += width) all += numbers[at];
      if (all > 1 && all <= kMostCrossings) lists.push_back({site, direction});
    }
  }
  return lists;
}

/// What decides whether the edges of a bundle are worth a common message.
struct Extent {
  explicit Extent(const std::vector<Crossing>& crossings) : edges(std::ssize(crossings)) {
    std::map<Rank, Count> out, in;
    for (const Crossing& edge : crossings) {
      ++out[edge.source];
      ++in[edge.destination];
    }
    const auto number = [](const auto& entry) { return entry.second; };
    sources = std::ssize(out);
    destinations = std::ssize(in);
    most_out = std::ranges::max_element(out, {}, number)->second;
    most_in = std::ranges::max_element(in, {}, number)->second;
    last_source = out.rbegin()->first;
    last_destination = in.rbegin()->first;
  }
  Count edges, sources = 0, destinations = 0;
  Count most_out = 0, most_in = 0;  ///< of one rank
  Rank last_source = 0, last_destination = 0;
};

/// What the messages of a bundle take, each edge with `length` bytes. Between two ranks what is longer than a
/// segment follows as it can.
class BundleCost {
 public:
  BundleCost(const Topology& topology, Bytes segment, const Bundle& bundle)
      : model_(topology, topology.machine), segment_(segment), bundle_(bundle), extent_(bundle.edges) {}

  /// Each edge on its own.
  Nanoseconds direct_ns(Bytes length) const {
    const Rank from = bundle_.collector, to = bundle_.distributor;
    return first_ns(from, to, length) +
           time_of(extent_.edges * wire_bytes(length) - std::min(wire_bytes(length), segment_),
                   model_.rate(from, to)) +
           (extent_.most_out - 1) * model_.overheads(from, Proximity::remote).send_ns +
           (extent_.most_in - 1) * model_.overheads(to, Proximity::remote).receive_ns;
  }

  Nanoseconds together_ns(Bytes length, NeighborTraits traits) const {
    const Bytes told = traits.gathers ? length : extent_.most_out * length;
    const Bytes crossing = (traits.gathers ? extent_.sources : extent_.edges) * length;
    const Bytes heard = extent_.most_in * length;
    return survey_ns(traits) + collect_ns(told) + cross_ns(crossing) + distribute_ns(heard);
  }

 private:
  Bytes wire_bytes(Bytes bytes) const {
    return model_.wire_bytes(Proximity::remote, bytes, model_.machine().framing.message_header);
  }
  Nanoseconds first_ns(Rank from, Rank to, Bytes bytes) const {
    return model_.message_ns(from, to, std::min(bytes, segment_));
  }

  Nanoseconds collect_ns(Bytes bytes) const {
    if (extent_.sources == 1) return 0;
    const Rank last = extent_.last_source, to = bundle_.collector;
    const Nanoseconds each = model_.overheads(to, model_.proximity(last, to)).receive_ns +
                             time_of(std::min(bytes, segment_), model_.rate(last, to));
    return first_ns(last, to, bytes) + (extent_.sources - 2) * each;
  }
  Nanoseconds distribute_ns(Bytes bytes) const {
    if (extent_.destinations == 1) return 0;
    const Rank from = bundle_.distributor, last = extent_.last_destination;
    const Nanoseconds each = model_.overheads(from, model_.proximity(from, last)).send_ns +
                             time_of(std::min(bytes, segment_), model_.rate(from, last));
    return first_ns(from, last, bytes) + (extent_.destinations - 2) * each;
  }
  /// At the rate of the slowest on the way, the two processes' other links included.
  Nanoseconds cross_ns(Bytes bytes) const {
    const Rank from = bundle_.collector, to = bundle_.distributor;
    BytesPerSecond rate = model_.rate(from, to);
    if (extent_.sources > 1) rate = std::min(rate, model_.rate(extent_.last_source, from));
    if (extent_.destinations > 1) rate = std::min(rate, model_.rate(to, extent_.last_destination));
    return first_ns(from, to, bytes) + time_of(std::max<Bytes>(0, wire_bytes(bytes) - segment_), rate);
  }
  /// Both sites at the same time.
  Nanoseconds survey_ns(NeighborTraits traits) const {
    if (!traits.vector) return 0;
    constexpr Bytes each = sizeof(Count);
    return std::max(collect_ns(each * extent_.most_out), distribute_ns(each * extent_.most_in));
  }

  Model model_;
  Bytes segment_;
  const Bundle& bundle_;
  Extent extent_;
};

constexpr int kClasses = 31;

int class_of(Bytes length) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(length - 1)));
}

std::uint32_t classes_together(const BundleCost& cost, const Tuning& tuning, const Bundle& bundle,
                               NeighborTraits traits) {
  if (bundle.edges.size() < 2) return 0;
  if (tuning.algorithms.of_neighbors() == Algorithm::aggregate) return ~std::uint32_t{0};
  std::uint32_t classes = 0;
  for (int k = 0; k <= kClasses; ++k) {
    const Bytes length = Bytes{1} << k;
    if (!traits.gathers && k > 0 && length / 2 >= bundle.limit) break;  // nothing as long goes together
    if (cost.together_ns(length, traits) < cost.direct_ns(length)) classes |= std::uint32_t{1} << k;
  }
  return classes;
}

void decide(const Topology& topology, const Tuning& tuning, Bundle& bundle) {
  bundle.limit = tuning.alltoall_aggregate_limit;
  bundle.collector = std::ranges::min(bundle.edges, {}, &Crossing::source).source;
  bundle.distributor = std::ranges::min(bundle.edges, {}, &Crossing::destination).destination;
  const BundleCost cost(topology, tuning.segment, bundle);
  for (const NeighborTraits traits :
       {NeighborTraits{false, false}, {false, true}, {true, false}, {true, true}})
    bundle.together[Bundle::index_of(traits)] = classes_together(cost, tuning, bundle, traits);
}

/// What `me` needs of the edges from one site to another.
bool keep(Bundle& bundle, Rank me) {
  if (bundle.together == decltype(bundle.together){}) return false;
  if (!bundle.is_passed_on_by(me))
    std::erase_if(bundle.edges,
                  [&](const Crossing& edge) { return edge.source != me && edge.destination != me; });
  return !bundle.edges.empty();
}

}  // namespace

bool Bundle::carries(Bytes length, NeighborTraits traits) const {
  if (length == 0 || (!traits.gathers && length > limit)) return false;
  const int k = class_of(length);
  return k <= kClasses && (together[index_of(traits)] >> k & 1) != 0;
}

bool may_bundle(const Topology& topology, const Tuning& tuning) {
  return topology.layout.sites() > 1 && tuning.algorithms.of_neighbors() != Algorithm::direct;
}

std::vector<Count> crossing_numbers(const Layout& layout, Rank me, const Neighborhood& edges) {
  std::vector<Count> numbers(width_of(layout), 0);
  const auto add = [&](const std::vector<Edge>& ends, EdgeDirection direction) {
    for (const Edge& edge : ends)
      if (edge.peer >= 0 && layout.site_of(edge.peer) != layout.site_of(me))
        ++numbers[place_of(layout.site_of(edge.peer), direction)];
  };
  add(edges.destinations, EdgeDirection::out);
  add(edges.sources, EdgeDirection::in);
  return numbers;
}

std::vector<Count> crossing_list(const Layout& layout, Rank me, const Neighborhood& edges,
                                 std::span<const Count> numbers) {
  std::vector<Count> list;
  for (const auto& [site, direction] : lists_of(layout, layout.site_of(me), numbers)) {
    const std::vector<Rank> ends =
        other_ends(layout, direction == EdgeDirection::out ? edges.destinations : edges.sources, site);
    list.insert(list.end(), ends.begin(), ends.end());
  }
  return list;
}

std::vector<Count> list_lengths(const Layout& layout, Rank me, std::span<const Count> numbers) {
  const SiteIndex here = layout.site_of(me);
  const std::size_t width = width_of(layout);
  std::vector<Count> lengths(layout.ranks_of(here).size(), 0);
  for (const auto& [site, direction] : lists_of(layout, here, numbers))
    for (std::size_t i = 0; i < lengths.size(); ++i)
      lengths[i] += numbers[i * width + place_of(site, direction)];
  return lengths;
}

Bundles bundles_of(const Topology& topology, const Tuning& tuning, Rank me, std::span<const Count> numbers,
                   std::span<const Count> lists) {
  const Layout& layout = topology.layout;
  const SiteIndex here = layout.site_of(me);
  std::map<std::pair<SiteIndex, SiteIndex>, Bundle> found;
  const std::vector<List> listed = lists_of(layout, here, numbers);
  std::size_t entry = 0;
  for (const Rank rank : layout.ranks_of(here)) {
    for (const auto& [site, direction] : listed) {
      const bool is_out = direction == EdgeDirection::out;
      const SiteIndex from = is_out ? here : site, to = is_out ? site : here;
      Bundle& bundle = found[{from, to}];
      bundle.from = from;
      bundle.to = to;
      const auto number = static_cast<std::size_t>(numbers[entry + place_of(site, direction)]);
      invariant(number <= lists.size(), "the ends of all edges that are listed");
      for (const Count end : lists.first(number)) {
        const auto other = static_cast<Rank>(end);
        bundle.edges.push_back(is_out ? Crossing{rank, other} : Crossing{other, rank});
      }
      lists = lists.subspan(number);
    }
    entry += width_of(layout);
  }
  Bundles bundles;
  for (auto& [sites, bundle] : found) {
    std::ranges::stable_sort(bundle.edges);
    decide(topology, tuning, bundle);
    if (keep(bundle, me)) bundles.push_back(std::move(bundle));
  }
  return bundles;
}

Program plan_site_exchange(const Topology& topology, const Tuning& tuning, Rank me,
                           std::span<const Count> counts) {
  const std::span<const Rank> ranks = topology.layout.ranks_of(topology.layout.site_of(me));
  std::vector<Count> bytes(static_cast<std::size_t>(topology.layout.size()), 0);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    bytes[static_cast<std::size_t>(ranks[i])] = counts[i] * Count{sizeof(Count)};
  const Count all = std::accumulate(bytes.begin(), bytes.end(), Count{0});
  const TreeLoad load{TreeLoad::Way::both, TreeLoad::Content::blocks,
                      std::min(all / std::ssize(ranks), TreeLoad::kMost)};
  const Position position(topology, tuning, me, std::nullopt, load);
  Builder b(Unit::bytes, me, position.size(), {bytes[static_cast<std::size_t>(me)], all, 0});
  const Blocks entries(b.output(), bytes);
  const auto inside = [&](Rank rank) { return entries.of(position.tree().subtree_of(rank)); };
  const auto outside = [&](Rank rank) {
    return entries.of(ranks_but(b.size(), position.tree().subtree_of(rank)));
  };
  b.copy(b.input(), entries.of(me));
  for (const Rank child : position.children()) b.receive(child, inside(child));
  if (const auto parent = position.parent()) {
    b.send(*parent, inside(me));
    b.receive(*parent, outside(me));
  }
  for (const Rank child : position.children()) b.send(child, outside(child));
  return std::move(b).finish();
}

}  // namespace wan
