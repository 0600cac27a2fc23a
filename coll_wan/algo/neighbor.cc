// SPDX-License-Identifier: BSD-3-Clause
#include "algo/neighbor.h"

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

}  // namespace

Program plan_neighbors(Rank me, Rank size, const BufferLengths& lengths, const Neighborhood& edges) {
  Builder b(Unit::bytes, me, size, lengths);
  const auto is_message = [&](const Edge& edge) { return edge.peer >= 0 && edge.peer != me; };
  for (const Edge& edge : edges.sources)
    if (is_message(edge)) b.receive(edge.peer, edge.data);
  for (const Edge& edge : edges.destinations)
    if (is_message(edge)) b.send(edge.peer, edge.data);
  copy_own(b, edges);
  return std::move(b).finish();
}

}  // namespace wan
