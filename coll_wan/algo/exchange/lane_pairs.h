// SPDX-License-Identifier: BSD-3-Clause
// Who coordinates each lane (algo/exchange/lanes.h) in each site. The first lanes take the ranks of each site
// one after the other. Where there are more lanes than any site has ranks, each of the others takes those of
// which the fewest are a pair already: two sites of n and m ranks have n * m connections. Equal on all ranks.
// Tested by tests/unit/algo_lanes.cc.
//
//   sites {0 1} {2 3} {4 5}:   0 2 4,  1 3 5,  and then  0 3 4,  1 2 5
#pragma once

#include <span>
#include <vector>

#include "base/types.h"

namespace wan {

/// sites: the ranks of each, one or more, in the order in which they take lanes. Of each lane, the rank of
/// each site.
std::vector<std::vector<Rank>> coordinators_of_lanes(std::span<const std::vector<Rank>> sites, int lanes);

}  // namespace wan
