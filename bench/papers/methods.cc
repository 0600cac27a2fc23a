// SPDX-License-Identifier: BSD-3-Clause
#include "bench/papers/methods.h"

#include "algo/trees/broadcast_builders.h"
#include "algo/trees/broadcast_search.h"

namespace wan::bench {
namespace {

Method shortest_path(std::string name, std::string title, VisitOrder order) {
  return {std::move(name), std::move(title), [order](const BroadcastGraph& graph, NodeIndex root) {
            return extended_shortest_path(graph, root, order);
          }};
}

}  // namespace

std::vector<Method> methods() {
  return {{"fnf", "fastest node first (papers/002)", fastest_node_first},
          {"earliest", "earliest completion", earliest_completion},
          shortest_path("esp_number", "ext. shortest path (papers/000), by number", VisitOrder::by_number),
          shortest_path("esp_cheapest", "ext. shortest path, cheapest first", VisitOrder::cheapest_first),
          shortest_path("esp_gain", "ext. shortest path, largest gain first", VisitOrder::largest_gain_first),
          {"best", "best tree", best_tree}};
}

}  // namespace wan::bench
