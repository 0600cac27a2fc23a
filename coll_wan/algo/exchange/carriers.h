// SPDX-License-Identifier: BSD-3-Clause
// Carriers: where a root sends a block to each rank of another site, or hears from each, it has as many
// connections there as the site has ranks. Where that is fewer than the call has lanes
// (algo/choice/lane_choice.h), other ranks of its site carry shares of every block. Tested by
// tests/unit/algo_carriers.cc and, as part of every schedule, by tests/property.
//
//   scatter, root 0, sites {0 1} {2 3}, 4 lanes:   0 ===> 2, 3: the first half of each block
//                                                  0 -> 1 ===> 2, 3: the second
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algo/exchange/position.h"
#include "plan/builder.h"

namespace wan {

/// Ranks of the root's site, the root first: as few as give each other site `lanes` connections, or all.
std::vector<Rank> carriers_of(const Position& position, Rank root, int lanes);

/// nullopt: `rank` is none of them.
std::optional<std::size_t> number_among(std::span<const Rank> carriers, Rank rank);

/// The share of a block that the carrier with this number has.
Range share_of(const Range& block, std::size_t carrier, std::size_t carriers);

/// The ranks of other sites, site by site, the farthest first.
std::vector<Rank> ranks_of_other_sites(const Position& position);

/// What a carrier keeps of each block on its way, in the order of `ranks`: all of one length.
std::vector<Range> kept_shares(Builder& b, std::size_t ranks, Count block, std::size_t carrier,
                               std::size_t carriers);

}  // namespace wan
