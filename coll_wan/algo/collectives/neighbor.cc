// SPDX-License-Identifier: BSD-3-Clause
#include "algo/collectives/neighbor.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "algo/choice/segments.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/send_order.h"
#include "base/invariant.h"
#include "plan/builder.h"

namespace wan {

namespace {

std::vector<Range> data_of_edges_with(Rank peer, const std::vector<Edge>& edges) {
  std::vector<Range> found;
  for (const Edge& edge : edges)
    if (edge.peer == peer) found.push_back(edge.data);
  return found;
}

/// Edges from this rank to itself.
void copy_own(Builder& b, const Neighborhood& edges) {
  const auto from = data_of_edges_with(b.me(), edges.destinations),
             to = data_of_edges_with(b.me(), edges.sources);
  invariant(from.size() == to.size(), "as many edges to oneself as from oneself");
  for (std::size_t i = 0; i < from.size(); ++i) b.copy(from[i], to[i]);
}

bool is_message(const Edge& edge, Rank me) {
  return edge.peer >= 0 && edge.peer != me;
}

/// What this rank's edges that belong to `bundle` hold, in the order in which it has them.
std::vector<Range> own_data(const Layout& layout, Rank me, const Bundle& bundle, const Neighborhood& edges) {
  const bool sends = layout.site_of(me) == bundle.from;
  std::vector<Edge> own;
  for (const Edge& edge : sends ? edges.destinations : edges.sources)
    if (edge.peer >= 0 && layout.site_of(edge.peer) == (sends ? bundle.to : bundle.from)) own.push_back(edge);
  std::ranges::stable_sort(own, {}, &Edge::peer);
  std::vector<Range> data;
  for (const Edge& edge : own) data.push_back(edge.data);
  return data;
}

/// Visits the edges of `bundle` that end at this rank, with their data.
template <class Visit>
void for_each_own(const Layout& layout, Rank me, const Bundle& bundle, const Neighborhood& edges,
                  Visit visit) {
  const std::vector<Range> data = own_data(layout, me, bundle, edges);
  std::size_t next = 0;
  for (std::size_t i = 0; i < bundle.edges.size(); ++i)
    if (bundle.edges[i].source == me || bundle.edges[i].destination == me) visit(i, data[next++]);
  invariant(next == data.size(), "a bundle has all edges between its sites");
}

/// Of each bundle's edges, 0 of those of others.
std::vector<std::vector<Count>> own_lengths(const Layout& layout, Rank me, const Bundles& bundles,
                                            const Neighborhood& edges) {
  std::vector<std::vector<Count>> lengths;
  for (const Bundle& bundle : bundles) {
    std::vector<Count>& each = lengths.emplace_back(bundle.edges.size(), 0);
    for_each_own(layout, me, bundle, edges,
                 [&](std::size_t edge, const Range& data) { each[edge] = data.length; });
  }
  return lengths;
}

/// The part that one rank has in a bundle. Of data that a rank sends to all alike, what comes along one edge
/// is there for the others.
class Carrying {
 public:
  Carrying(Builder& b, const Layout& layout, const Bundle& bundle, std::span<const Count> lengths,
           const NeighborCall& call)
      : b_(b), bundle_(bundle), lengths_(lengths), gathers_(call.traits.gathers) {
    for (std::size_t i = 0; i < bundle.edges.size(); ++i) {
      if (!bundle.carries(lengths[i], call.traits)) continue;
      const Crossing& edge = bundle.edges[i];
      carried_.push_back(i);
      if (b.me() == edge.source || b.me() == bundle.collector) by_source_[edge.source].push_back(i);
      if (b.me() == edge.destination || b.me() == bundle.distributor)
        by_destination_[edge.destination].push_back(i);
    }
    for_each_own(layout, b.me(), bundle, call.edges, [&](std::size_t edge, const Range& data) {
      invariant(data.length == lengths[edge], "the length of one's own edge");
      if (bundle.edges[edge].source == b.me()) held_.try_emplace(datum(edge), data);
      if (bundle.edges[edge].destination != b.me()) return;
      outputs_.push_back({edge, data});
      wanted_.try_emplace(datum(edge), data);
    });
  }

  void collect() {
    for (const auto& [source, edges] : by_source_)
      if (b_.me() != bundle_.collector)
        b_.send(bundle_.collector, give(edges));
      else if (source != b_.me())
        b_.receive(source, take(edges));
  }
  void send_across() {
    if (b_.me() == bundle_.collector) b_.send(bundle_.distributor, give(carried_));
  }
  void receive_across() {
    if (b_.me() == bundle_.distributor) b_.receive(bundle_.collector, take(carried_));
  }
  void distribute() {
    for (const auto& [destination, edges] : by_destination_)
      if (b_.me() != bundle_.distributor)
        b_.receive(bundle_.distributor, take(edges));
      else if (destination != b_.me())
        b_.send(destination, give(edges));
    for (const auto& [edge, data] : outputs_)
      if (const auto place = held_.find(datum(edge)); place != held_.end()) b_.copy(place->second, data);
  }

 private:
  using Edges = std::vector<std::size_t>;
  struct Output {
    std::size_t edge;
    Range data;
  };

  /// What is the same on several edges has one name.
  std::size_t datum(std::size_t edge) const {
    return gathers_ ? static_cast<std::size_t>(bundle_.edges[edge].source) : edge;
  }
  template <class Visit>
  void for_each_datum(const Edges& edges, Visit visit) const {
    std::set<std::size_t> seen;
    for (const std::size_t edge : edges)
      if (seen.insert(datum(edge)).second) visit(edge);
  }
  RangeList give(const Edges& edges) const {
    RangeList places;
    for_each_datum(edges, [&](std::size_t edge) { places.add(held_.at(datum(edge))); });
    return places;
  }
  RangeList take(const Edges& edges) {
    RangeList places;
    for_each_datum(edges, [&](std::size_t edge) { places.add(held_[datum(edge)] = place_for(edge)); });
    return places;
  }
  /// Where this rank wants it, or scratch.
  Range place_for(std::size_t edge) {
    const auto wanted = wanted_.find(datum(edge));
    return wanted != wanted_.end() ? wanted->second : b_.scratch(lengths_[edge]);
  }

  Builder& b_;
  const Bundle& bundle_;
  std::span<const Count> lengths_;
  bool gathers_;
  Edges carried_;
  std::map<Rank, Edges> by_source_, by_destination_;
  std::map<std::size_t, Range> held_, wanted_;  ///< by datum: where it is; where its first output is
  std::vector<Output> outputs_;                 ///< of this rank's own edges
};

/// What goes from this rank, or comes to it, without others.
class Direct {
 public:
  Direct(const Layout& layout, Rank me, const NeighborCall& call, const Bundles& bundles)
      : layout_(layout), me_(me), call_(call), bundles_(bundles) {}

  bool sends(const Edge& edge) const {
    return is_message(edge, me_) && !is_carried(me_, edge.peer, edge.data.length);
  }
  bool receives(const Edge& edge) const {
    return is_message(edge, me_) && !is_carried(edge.peer, me_, edge.data.length);
  }

 private:
  bool is_carried(Rank source, Rank destination, Count length) const {
    const auto is_between = [&](const Bundle& bundle) {
      return bundle.from == layout_.site_of(source) && bundle.to == layout_.site_of(destination);
    };
    const auto bundle = std::ranges::find_if(bundles_, is_between);
    return bundle != bundles_.end() && bundle->carries(length, call_.traits);
  }

  const Layout& layout_;
  Rank me_;
  const NeighborCall& call_;
  const Bundles& bundles_;
};

/// To whom first is decided by what goes to a neighbour over all edges; of equal ones by their first edges.
void send_all(Builder& b, const Topology& topology, const Neighborhood& edges, const Direct& direct) {
  std::vector<Edge> neighbors;  // the first edge to each
  std::map<Rank, std::vector<Range>> data;
  for (const Edge& edge : edges.destinations) {
    if (!direct.sends(edge)) continue;
    std::vector<Range>& of_peer = data[edge.peer];
    if (of_peer.empty()) neighbors.push_back(edge);
    of_peer.push_back(edge.data);
  }
  std::vector<Sending> sendings;
  for (const Edge& edge : neighbors) {
    const Count bytes = total_length(data.at(edge.peer));
    sendings.push_back(
        {edge.peer, remaining_path_ns(topology, b.me(), edge.peer, bytes, edge.sends), edge.load});
  }
  for (const auto& equal : in_descending_order(std::move(sendings)))
    for (const Rank peer : equal)
      for (const Range& each : data.at(peer)) b.send(peer, each);
}

std::vector<Rank> ranks_of_messages(const std::vector<Edge>& edges, Rank me) {
  std::set<Rank> ranks;
  for (const Edge& edge : edges)
    if (is_message(edge, me)) ranks.insert(edge.peer);
  return {ranks.begin(), ranks.end()};
}

}  // namespace

/// Messages between two ranks of a site come in the same order at both: those to collectors, those of edges,
/// those from distributors; between two sites those of edges first.
Program plan_neighbors(const Topology& topology, const Tuning& tuning, Rank me, const NeighborCall& call,
                       const Bundles& bundles) {
  const Layout& layout = topology.layout;
  Builder b(Unit::bytes, me, layout.size(), call.lengths, segmentation_of(topology, tuning, Call{}));
  std::vector<Carrying> carryings;
  for (std::size_t i = 0; i < bundles.size(); ++i)
    carryings.emplace_back(b, layout, bundles[i], call.bundled[i], call);
  for (Carrying& each : carryings) each.collect();
  const Direct direct(layout, me, call, bundles);
  for (const Edge& edge : call.edges.sources)
    if (direct.receives(edge)) b.receive(edge.peer, edge.data);
  send_all(b, topology, call.edges, direct);
  for (Carrying& each : carryings) each.send_across();
  for (Carrying& each : carryings) each.receive_across();
  for (Carrying& each : carryings) each.distribute();
  copy_own(b, call.edges);
  return std::move(b).finish();
}

std::vector<std::vector<Count>> bundled_lengths(const Layout& layout, Rank me, const Bundles& bundles,
                                                NeighborTraits traits, const Neighborhood& edges) {
  if (traits.vector) return own_lengths(layout, me, bundles, edges);
  std::vector<std::vector<Count>> lengths;
  for (const Bundle& bundle : bundles)
    lengths.emplace_back(bundle.edges.size(), own_data(layout, me, bundle, edges).front().length);
  return lengths;
}

LengthSurvey::LengthSurvey(const Layout& layout, Rank me, const Bundles& bundles, NeighborTraits traits)
    : program_(Builder(Unit::bytes, me, layout.size(), {}).finish()) {
  Messages messages;
  for (std::size_t i = 0; i < bundles.size(); ++i)
    if (bundles[i].serves(traits)) add_bundle(layout, me, bundles, i, messages);
  constexpr Count kEntry = sizeof(Count);
  Builder b(Unit::bytes, me, layout.size(), {kEntry * std::ssize(told_), kEntry * std::ssize(heard_), 0});
  for (const Message& each : messages.received)
    b.receive(each.peer, Range{Buffer::output, kEntry * each.first, kEntry * each.number});
  for (const Message& each : messages.sent)
    b.send(each.peer, Range{Buffer::input, kEntry * each.first, kEntry * each.number});
  program_ = std::move(b).finish();
}

/// To whom passes data on in one's own site.
void LengthSurvey::add_bundle(const Layout& layout, Rank me, const Bundles& bundles, std::size_t index,
                              Messages& messages) {
  const Bundle& bundle = bundles[index];
  const bool is_source = layout.site_of(me) == bundle.from;
  const Rank passer = is_source ? bundle.collector : bundle.distributor;
  std::map<Rank, std::vector<std::size_t>> edges_of;  // ranks of this site
  for (std::size_t edge = 0; edge < bundle.edges.size(); ++edge)
    edges_of[is_source ? bundle.edges[edge].source : bundle.edges[edge].destination].push_back(edge);
  for (const auto& [rank, edges] : edges_of) {
    if (rank == passer && rank == me) continue;
    std::vector<Place>& places = passer == me ? heard_ : told_;
    (passer == me ? messages.received : messages.sent)
        .push_back({passer == me ? rank : passer, std::ssize(places), std::ssize(edges)});
    for (const std::size_t edge : edges) places.push_back({index, edge});
  }
}

std::vector<Count> LengthSurvey::told(const Layout& layout, Rank me, const Bundles& bundles,
                                      const Neighborhood& edges) const {
  const std::vector<std::vector<Count>> lengths = own_lengths(layout, me, bundles, edges);
  std::vector<Count> told;
  for (const Place& place : told_) told.push_back(lengths[place.bundle][place.edge]);
  return told;
}

std::vector<std::vector<Count>> LengthSurvey::bundled_lengths(const Layout& layout, Rank me,
                                                              const Bundles& bundles,
                                                              const Neighborhood& edges,
                                                              std::span<const Count> heard) const {
  std::vector<std::vector<Count>> lengths = own_lengths(layout, me, bundles, edges);
  for (std::size_t i = 0; i < heard_.size(); ++i) lengths[heard_[i].bundle][heard_[i].edge] = heard[i];
  return lengths;
}

Survey plan_load_survey(Rank me, Rank size, const Neighborhood& edges) {
  constexpr Count kEntry = sizeof(Count);
  std::vector<Rank> receivers = ranks_of_messages(edges.destinations, me);
  Builder b(Unit::bytes, me, size, {kEntry, kEntry * std::ssize(receivers), 0});
  Range entry{Buffer::output, 0, kEntry};
  for (const Rank receiver : receivers) {
    b.receive(receiver, entry);
    entry.offset += kEntry;
  }
  for (const Rank sender : ranks_of_messages(edges.sources, me)) b.send(sender, b.input());
  return {std::move(b).finish(), std::move(receivers)};
}

}  // namespace wan
