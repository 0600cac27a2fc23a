// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/carriers.h"

#include <algorithm>

#include "algo/exchange/lanes.h"

namespace wan {

std::vector<Rank> carriers_of(const Position& position, Rank root, int lanes) {
  std::size_t fewest = static_cast<std::size_t>(lanes);
  const SiteIndex here = position.layout().site_of(root);
  for (SiteIndex site = 0; site < position.layout().sites(); ++site)
    if (site != here) fewest = std::min(fewest, position.ranks_of(site).size());
  const auto ranks = position.ranks_of(here);
  std::vector<Rank> carriers(ranks.begin(), ranks.end());
  std::ranges::rotate(carriers, std::ranges::find(carriers, root));
  const std::size_t wanted = (static_cast<std::size_t>(lanes) + fewest - 1) / fewest;
  carriers.resize(std::min(wanted, carriers.size()));
  return carriers;
}

std::optional<std::size_t> number_among(std::span<const Rank> carriers, Rank rank) {
  const auto found = std::ranges::find(carriers, rank);
  if (found == carriers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - carriers.begin());
}

Range share_of(const Range& block, std::size_t carrier, std::size_t carriers) {
  const LaneShare share = share_of(block.length, static_cast<int>(carrier), static_cast<int>(carriers));
  return block.slice(share.offset, share.length);
}

std::vector<Rank> ranks_of_other_sites(const Position& position) {
  std::vector<Rank> all;
  for (const SiteIndex site : position.other_sites()) {
    const auto ranks = position.ranks_of(site);
    all.insert(all.end(), ranks.begin(), ranks.end());
  }
  return all;
}

std::vector<Range> kept_shares(Builder& b, std::size_t ranks, Count block, std::size_t carrier,
                               std::size_t carriers) {
  const Count length = share_of(Range{Buffer::scratch, 0, block}, carrier, carriers).length;
  std::vector<Range> shares;
  for (std::size_t i = 0; i < ranks; ++i) shares.push_back(b.scratch(length));
  return shares;
}

}  // namespace wan
