// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/cell_call.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/index.h"
#include "base/nearest.h"

namespace wan::bench {
namespace {

constexpr std::array<std::string_view, 3> kGroupings{"none", "halves", "parity"};

std::vector<Count> counts_of(const GlobalCall& call, const Distribution& distribution = {}) {
  if (!traits(call.collective).vector) return {};
  std::vector<Count> counts;
  for (Rank from = 0; from < (has_count_matrix(call.collective) ? call.size : 1); ++from)
    for (Rank rank = 0; rank < call.size; ++rank)
      counts.push_back(distribution.block_of(from, 1) > 0 ? distribution.block_of(rank, call.block) : 0);
  return counts;
}

/// Between the root and the second group.
void make_rooted(CellCall& made, Rank root) {
  GlobalCall& call = made.call;
  const Rank others = call.size / 2;
  made.ranks.erase(made.ranks.begin(), made.ranks.begin() + others);
  made.ranks.insert(made.ranks.begin(), root);
  call.size = others + 1;
  call.root = 0;
  call.split = is_split_by_groups(call.collective) ? 1 : 0;
  call.counts = counts_of(call);
  if (!call.counts.empty()) call.counts.front() = 0;
}

/// Between both groups, each rank and all of the other.
void make_unrooted(CellCall& made) {
  GlobalCall& call = made.call;
  const Rank half = call.size / 2;
  call.back = call.block;
  if (call.collective == Collective::reduce_scatter_block) call.block *= half;
  if (is_split_by_groups(call.collective)) call.split = half;
  if (!has_count_matrix(call.collective)) return;
  for (Rank from = 0; from < call.size; ++from)
    for (Rank to = 0; to < call.size; ++to)
      if ((from < half) == (to < half)) call.counts[at(from) * at(call.size) + at(to)] = 0;
}

}  // namespace

std::string_view name(Grouping grouping) {
  return kGroupings[static_cast<std::size_t>(grouping)];
}

Result<Distribution> parse_distribution(const std::string& groups, Rank concentration) {
  const auto found = std::ranges::find(kGroupings, groups);
  if (found == kGroupings.end())
    return tl::unexpected(InputError{"--groups", 0, "", groups, suggestion(groups, kGroupings)});
  const auto grouping = static_cast<Grouping>(found - kGroupings.begin());
  if (grouping != Grouping::none && concentration != 1)
    return tl::unexpected(
        InputError{"--concentration", 0, "", std::to_string(concentration), "expected 1 between groups"});
  return Distribution(grouping, concentration);
}

std::vector<Rank> in_groups(Grouping grouping, Rank size) {
  std::vector<Rank> ranks(at(size));
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  if (grouping == Grouping::parity)
    std::ranges::stable_partition(ranks, [](Rank rank) { return rank % 2 == 0; });
  return ranks;
}

bool is_defined(Collective collective, Grouping grouping) {
  return grouping == Grouping::none || (collective != Collective::scan && collective != Collective::exscan);
}

CellCall call_of(const Cell& cell, Rank size, const Distribution& distribution) {
  const Grouping grouping = distribution.grouping;
  CellCall made{{cell.collective, size, cell.root, OperandOrder::any, cell.bytes, {}, {}},
                in_groups(grouping, size)};
  GlobalCall& call = made.call;
  if (traits(cell.collective).reduces && cell.bytes % 8 == 0) call.unit_bytes = 8;
  call.block /= call.unit_bytes;
  call.counts = counts_of(call, distribution);
  if (grouping != Grouping::none)
    traits(cell.collective).rooted ? make_rooted(made, made.ranks[at(cell.root)]) : make_unrooted(made);
  if (traits(cell.collective).vector) call.block = call.back = 0;  // not every rank knows the counts
  return made;
}

}  // namespace wan::bench
