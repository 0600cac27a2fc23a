// SPDX-License-Identifier: BSD-3-Clause
#include "algo/neighbor.h"

#include <map>

#include "algo/segments.h"
#include "algo/send_order.h"
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
  const auto from = data_of_edges_with(b.me(), edges.destinations), to = data_of_edges_with(b.me(), edges.sources);
  invariant(from.size() == to.size(), "as many edges to oneself as from oneself");
  for (std::size_t i = 0; i < from.size(); ++i) b.copy(from[i], to[i]);
}

bool is_message(const Edge& edge, Rank me) { return edge.peer >= 0 && edge.peer != me; }

/// What goes to each neighbour, over all edges; in the order of their first edges.
std::vector<Sending> sendings_of(const Topology& topology, Rank me, const Neighborhood& edges) {
  std::vector<Rank> order;
  std::map<Rank, Bytes> bytes;
  for (const Edge& edge : edges.destinations) {
    if (!is_message(edge, me)) continue;
    if (const auto [found, is_new] = bytes.try_emplace(edge.peer, edge.data.length); is_new)
      order.push_back(edge.peer);
    else
      found->second += edge.data.length;
  }
  std::vector<Sending> sendings;
  for (const Rank peer : order) sendings.push_back({peer, time_on_the_way_ns(topology, me, peer, bytes.at(peer))});
  return sendings;
}

}  // namespace

Program plan_neighbors(const Topology& topology, const Tuning& tuning, Rank me, const BufferLengths& lengths, const Neighborhood& edges) {
  Builder b(Unit::bytes, me, topology.layout.size(), lengths, segmentation_of(topology.network, tuning, Call{}));
  for (const Edge& edge : edges.sources)
    if (is_message(edge, me)) b.receive(edge.peer, edge.data);
  for (const Rank peer : in_descending_order(sendings_of(topology, me, edges)))
    for (const Range& data : data_of_edges_with(peer, edges.destinations)) b.send(peer, data);
  copy_own(b, edges);
  return std::move(b).finish();
}

}  // namespace wan
