// SPDX-License-Identifier: BSD-3-Clause
// What the coordinators do in scan and exscan (algo/collectives/scan.cc): from the totals of the runs of all
// sites, what lies before each run of one's own.
//
//   short vectors: everybody sends totals to those behind     A 0 ===> B, C: a;  B 1 ===> C: b;  C joins a b
//   long ones, where each site is one run (algo/choice/shards.h):     A, B ===> owner of a shard: a, b; owner
//   ===> B: a, C: a b WAN: one latency, m bytes for each run; or two, and about 2 m / C over each link.
#pragma once

#include <span>
#include <vector>

#include "algo/choice/choice.h"
#include "algo/exchange/lanes.h"
#include "plan/builder.h"
#include "plan/call.h"

namespace wan {

/// At the coordinator of `lane`, of what that carries. totals: of the own site's runs, in rank order; they
/// are only read. Returns the product of all ranks before each own run but one that begins at rank 0.
std::vector<Range> prefixes_of_sites(Builder& b, const Lane& lane, std::span<const Range> totals,
                                     const Call& call, const Choice& choice);

}  // namespace wan
