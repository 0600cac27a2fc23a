// SPDX-License-Identifier: BSD-3-Clause
#include "algo/neighbor.h"

#include <map>
#include <set>
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
  std::vector<Edge> neighbors;  // the first edge to each
  std::map<Rank, std::vector<Range>> data;
  for (const Edge& edge : edges.destinations) {
    if (!is_message(edge, b.me())) continue;
    std::vector<Range>& of_peer = data[edge.peer];
    if (of_peer.empty()) neighbors.push_back(edge);
    of_peer.push_back(edge.data);
  }
  std::vector<Sending> sendings;
  for (const Edge& edge : neighbors) {
    const Count bytes = total_length(data.at(edge.peer));
    sendings.push_back({edge.peer, remaining_path_ns(topology, b.me(), edge.peer, bytes, edge.sends), edge.load});
  }
  for (const Rank peer : in_descending_order(std::move(sendings)))
    for (const Range& each : data.at(peer)) b.send(peer, each);
}

std::vector<Rank> ranks_of_messages(const std::vector<Edge>& edges, Rank me) {
  std::set<Rank> ranks;
  for (const Edge& edge : edges)
    if (is_message(edge, me)) ranks.insert(edge.peer);
  return {ranks.begin(), ranks.end()};
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
