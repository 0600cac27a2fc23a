// SPDX-License-Identifier: BSD-3-Clause
#include "algo/neighbor.h"

#include <map>
#include <utility>

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

/// To whom first is decided by what goes to a neighbour over all edges; of equal ones by their first edges.
void send_all(Builder& b, const Topology& topology, const Neighborhood& edges) {
  std::vector<Rank> neighbors;
  std::map<Rank, std::vector<Range>> data;
  for (const Edge& edge : edges.destinations) {
    if (!is_message(edge, b.me())) continue;
    std::vector<Range>& of_peer = data[edge.peer];
    if (of_peer.empty()) neighbors.push_back(edge.peer);
    of_peer.push_back(edge.data);
  }
  std::vector<Sending> sendings;
  for (const Rank peer : neighbors)
    sendings.push_back({peer, time_on_the_way_ns(topology, b.me(), peer, total_length(data.at(peer)))});
  for (const Rank peer : in_descending_order(std::move(sendings)))
    for (const Range& each : data.at(peer)) b.send(peer, each);
}

}  // namespace

Program plan_neighbors(const Topology& topology, const Tuning& tuning, Rank me, const BufferLengths& lengths, const Neighborhood& edges) {
  Builder b(Unit::bytes, me, topology.layout.size(), lengths, segmentation_of(topology.network, tuning, Call{}));
  for (const Edge& edge : edges.sources)
    if (is_message(edge, me)) b.receive(edge.peer, edge.data);
  send_all(b, topology, edges);
  copy_own(b, edges);
  return std::move(b).finish();
}

}  // namespace wan
