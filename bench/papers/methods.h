// SPDX-License-Identifier: BSD-3-Clause
// The ways of building a broadcast tree that the study compares, by the names of its tables. No threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algo/trees/broadcast_tree.h"

namespace wan::bench {

struct Method {
  std::string name;   ///< of a column in CSV
  std::string title;  ///< for people
  std::function<BroadcastTree(const BroadcastGraph&, NodeIndex root)> build;
};

/// fastest node first, earliest completion, extended shortest path with each order of visits, best.
std::vector<Method> methods();

}  // namespace wan::bench
