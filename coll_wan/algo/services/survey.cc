// SPDX-License-Identifier: BSD-3-Clause
#include "algo/services/survey.h"

#include <algorithm>
#include <utility>

#include "algo/exchange/blocks.h"
#include "algo/exchange/position.h"
#include "base/invariant.h"
#include "plan/builder.h"

namespace wan {

namespace {

/// First in an entry: all counts follow, sent ones first. Otherwise the number of blocks that are sent: the
/// peer and the length of each follow, then of each block that is received.
constexpr Count kAllCounts = -1;

Position position_for_survey(const Topology& topology, const Tuning& tuning, Rank me) {
  return {topology, tuning, me, std::nullopt, load_of_survey(topology.layout.size())};
}

/// Units of each rank: those of the site's as stated, none of the others.
std::vector<Count> on_all_ranks(const Position& position, std::span<const Count> of_site) {
  const std::span<const Rank> ranks = position.ranks_of(position.site());
  invariant(ranks.size() == of_site.size(), "lengths of a survey");
  std::vector<Count> counts(static_cast<std::size_t>(position.size()), 0);
  for (std::size_t i = 0; i < ranks.size(); ++i) counts[static_cast<std::size_t>(ranks[i])] = of_site[i];
  return counts;
}

Count sum_over(std::span<const Rank> ranks, const std::vector<Count>& counts) {
  Count sum = 0;
  for (const Rank rank : ranks) sum += counts[static_cast<std::size_t>(rank)];
  return sum;
}

/// Everybody's, up the tree: what this rank then holds of those below it.
void gather_entries(Builder& b, const Position& position, const Blocks& entries) {
  b.copy(b.input(), entries.of(b.me()));
  for (const Rank child : position.children())
    b.receive(child, entries.of(position.tree().subtree_of(child)));
  if (const auto parent = position.parent()) b.send(*parent, entries.of(position.tree().subtree_of(b.me())));
}

void add_lengths(std::vector<Count>& entry, const std::vector<Count>& lengths) {
  for (std::size_t peer = 0; peer < lengths.size(); ++peer)
    if (lengths[peer] != 0) entry.insert(entry.end(), {static_cast<Count>(peer), lengths[peer]});
}

std::vector<BlockLength> lengths_of(std::span<const Count> counts) {
  std::vector<BlockLength> lengths;
  for (std::size_t peer = 0; peer < counts.size(); ++peer)
    if (counts[peer] != 0) lengths.push_back({static_cast<Rank>(peer), counts[peer]});
  return lengths;
}

std::vector<BlockLength> pairs_of(std::span<const Count> pairs) {
  std::vector<BlockLength> lengths;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    lengths.push_back({static_cast<Rank>(pairs[i]), pairs[i + 1]});
  return lengths;
}

}  // namespace

Survey plan_notices(const Topology& topology, const Tuning& tuning, Rank me, Count bytes) {
  const Position position = position_for_survey(topology, tuning, me);
  const std::span<const Rank> ranks = position.ranks_of(position.site());
  Builder b(Unit::bytes, me, position.size(), {bytes, bytes * std::ssize(ranks), 0});
  const Blocks notices(b.output(), on_all_ranks(position, std::vector<Count>(ranks.size(), bytes)));
  gather_entries(b, position, notices);
  const auto others = [&](Rank rank) {
    std::vector<Rank> all;
    std::ranges::set_difference(ranks, position.tree().subtree_of(rank), std::back_inserter(all));
    return notices.of(all);
  };
  if (const auto parent = position.parent()) b.receive(*parent, others(me));
  for (const Rank child : position.children()) b.send(child, others(child));
  return {std::move(b).finish(), {ranks.begin(), ranks.end()}};
}

Survey plan_entries(const Topology& topology, const Tuning& tuning, Rank me, std::span<const Count> bytes) {
  const Position position = position_for_survey(topology, tuning, me);
  const std::vector<Count> counts = on_all_ranks(position, bytes);
  std::vector<Rank> ranks = position.tree().subtree_of(me);
  Builder b(Unit::bytes, me, position.size(),
            {counts[static_cast<std::size_t>(me)], sum_over(ranks, counts), 0});
  std::vector<Count> heard(counts.size(), 0);
  for (const Rank rank : ranks)
    heard[static_cast<std::size_t>(rank)] = counts[static_cast<std::size_t>(rank)];
  gather_entries(b, position, Blocks(b.output(), heard));
  return {std::move(b).finish(), std::move(ranks)};
}

std::vector<Rank> ranks_below(const Topology& topology, const Tuning& tuning, Rank me) {
  return position_for_survey(topology, tuning, me).tree().subtree_of(me);
}

std::vector<Count> survey_entry(const Call& call) {
  const auto blocks = [](const std::vector<Count>& counts) {
    return std::ssize(counts) - std::ranges::count(counts, 0);
  };
  const Count sends = blocks(call.send_counts), receives = blocks(call.receive_counts);
  if (2 * (sends + receives) >= std::ssize(call.send_counts) + std::ssize(call.receive_counts)) {
    std::vector<Count> entry{kAllCounts};
    entry.insert(entry.end(), call.send_counts.begin(), call.send_counts.end());
    entry.insert(entry.end(), call.receive_counts.begin(), call.receive_counts.end());
    return entry;
  }
  std::vector<Count> entry{sends};
  add_lengths(entry, call.send_counts);
  add_lengths(entry, call.receive_counts);
  return entry;
}

MemberCounts member_of(Rank rank, Rank size, std::span<const Count> entry) {
  invariant(!entry.empty(), "the entry of a survey");
  const Count sends = entry[0];
  entry = entry.subspan(1);
  if (sends == kAllCounts) {
    invariant(std::ssize(entry) == 2 * std::ptrdiff_t{size}, "the counts of a survey");
    const auto half = static_cast<std::size_t>(size);
    return {rank, lengths_of(entry.first(half)), lengths_of(entry.subspan(half))};
  }
  const auto pairs = static_cast<std::size_t>(2 * sends);
  invariant(pairs <= entry.size(), "the blocks of a survey");
  return {rank, pairs_of(entry.first(pairs)), pairs_of(entry.subspan(pairs))};
}

}  // namespace wan
