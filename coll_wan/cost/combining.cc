// SPDX-License-Identifier: BSD-3-Clause
#include "cost/combining.h"

#include <algorithm>
#include <bit>

namespace wan {

namespace {

std::vector<Run> maximal_runs(std::span<const Rank> ranks) {
  std::vector<Run> runs;
  for (const Rank rank : ranks) {
    if (!runs.empty() && runs.back().last + 1 == rank)
      runs.back().last = rank;
    else
      runs.push_back({rank, rank});
  }
  return runs;
}

/// The largest block that begins at `offset` and has no more than `most` ranks.
Rank block_at(Rank offset, Rank most) {
  const auto fitting = static_cast<Rank>(std::bit_floor(static_cast<std::uint32_t>(most)));
  return offset == 0 ? fitting : std::min(fitting, offset & -offset);
}

}  // namespace

std::vector<Run> runs_of(std::span<const Rank> ranks, Combining combining) {
  if (combining.order == OperandOrder::any) return {{ranks.front(), ranks.back()}};
  std::vector<Run> runs = maximal_runs(ranks);
  if (combining.order == OperandOrder::rank) return runs;
  std::vector<Run> blocks;
  for (const Run& run : runs) {
    const std::vector<Run> more = aligned_blocks(run, combining.origin(run.first));
    blocks.insert(blocks.end(), more.begin(), more.end());
  }
  return blocks;
}

std::vector<Run> aligned_blocks(Run ranks, Rank origin) {
  std::vector<Run> blocks;
  while (ranks.size() > 0) {
    const Rank size = block_at(ranks.first - origin, ranks.size());
    blocks.push_back({ranks.first, ranks.first + size - 1});
    ranks.first += size;
  }
  return blocks;
}

bool are_joined(Run left, Run right, Combining combining) {
  if (combining.order == OperandOrder::any) return true;
  if (left.last + 1 != right.first) return false;
  const Rank offset = left.first - combining.origin(left.first);
  return combining.order == OperandOrder::rank ||
         (left.size() == right.size() && offset % (2 * left.size()) == 0);
}

}  // namespace wan
