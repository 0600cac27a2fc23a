// SPDX-License-Identifier: BSD-3-Clause
// The optimum by exhaustive search, for graphs of up to about nine nodes: the oracle of
// algo/trees/broadcast_*.h, of which it knows the graph alone. Tested by tests/unit/algo_broadcast_tree.cc
// against all trees of five nodes.
#pragma once

#include <cstdint>

#include "algo/trees/broadcast_graph.h"

namespace wan {

enum class BroadcastGoal : std::uint8_t {
  last_arrival,   ///< the last node has the message: T of papers on broadcast
  last_injection  ///< the last message has been injected: the final ready-to-receive time of Liu, section 4
};

/// The least time of any tree with any order of sends.
Nanoseconds optimal_broadcast(const BroadcastGraph& graph, NodeIndex root,
                              BroadcastGoal goal = BroadcastGoal::last_arrival);

}  // namespace wan
