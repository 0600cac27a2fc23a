// SPDX-License-Identifier: BSD-3-Clause
#include "algo/survey.h"

#include <utility>

#include "algo/blocks.h"
#include "algo/position.h"
#include "base/invariant.h"
#include "plan/builder.h"

namespace wan {

namespace {

/// Bytes of a rank's entry: two counts for each rank.
Count entry_bytes(Rank size) {
  return 2 * Count{size} * static_cast<Count>(sizeof(Count));
}

}  // namespace

bool needs_survey(const Topology& topology, const Tuning& tuning, const Call& call) {
  return has_count_matrix(call.collective) && topology.layout.sites() > 1 &&
         aggregate_limit(topology.layout, call.collective, tuning) > 0;
}

Survey plan_survey(const Topology& topology, const Tuning& tuning, Rank me) {
  const Position position(topology, tuning, me, std::nullopt, load_of_survey(topology.layout.size()));
  std::vector<Rank> ranks = position.tree().subtree_of(me);
  const Count entry = entry_bytes(position.size());
  Builder b(Unit::bytes, me, position.size(), {entry, entry * std::ssize(ranks), 0});
  std::vector<Count> counts(static_cast<std::size_t>(position.size()), 0);
  for (const Rank rank : ranks) counts[static_cast<std::size_t>(rank)] = entry;
  const Blocks entries(b.output(), counts);
  b.copy(b.input(), entries.of(me));
  for (const Rank child : position.children())
    b.receive(child, entries.of(position.tree().subtree_of(child)));
  if (const auto parent = position.parent()) b.send(*parent, entries.of(ranks));
  return {std::move(b).finish(), std::move(ranks)};
}

std::vector<Count> survey_entry(const Call& call) {
  std::vector<Count> entry = call.send_counts;
  entry.insert(entry.end(), call.receive_counts.begin(), call.receive_counts.end());
  return entry;
}

std::vector<MemberCounts> members_of(std::span<const Rank> ranks, std::span<const Count> entries) {
  invariant(!ranks.empty() && entries.size() % (2 * ranks.size()) == 0, "the entries of a survey");
  const std::size_t counts = entries.size() / ranks.size() / 2;
  std::vector<MemberCounts> members;
  for (const Rank rank : ranks) {
    members.push_back(
        {rank,
         {entries.begin(), entries.begin() + std::ptrdiff_t(counts)},
         {entries.begin() + std::ptrdiff_t(counts), entries.begin() + std::ptrdiff_t(2 * counts)}});
    entries = entries.subspan(2 * counts);
  }
  return members;
}

}  // namespace wan
