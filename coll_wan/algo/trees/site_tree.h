// SPDX-License-Identifier: BSD-3-Clause
// The tree inside a site. Tested by tests/unit/algo_tree.cc.
#pragma once

#include "algo/trees/tree.h"
#include "algo/trees/tree_load.h"
#include "topo/topology.h"

namespace wan {

/// Rooted at `coordinator`: it follows the hosts and, below them, the NUMA domains. Each group of each level
/// has one coordinator; between two groups there is one edge. Each group's tree is what
/// algo/trees/group_tree.h makes of shape, radix and load.
///
///   site s, hosts {0 1 2} {3 4}, coordinator 1:   1 -> 3 (host to host), 1 -> 0, 1 -> 2, 3 -> 4
Tree site_tree(const Topology& topology, SiteIndex site, Rank coordinator, TreeShape shape, int radix,
               const TreeLoad& load = {});

}  // namespace wan
