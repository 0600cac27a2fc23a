// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a communicator hear before a neighbourhood collective, as if they had told each other.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algo/collectives/neighbor.h"
#include "tests/support/interpreter.h"

namespace wan {

/// What the ranks of `me`'s site say, one after the other.
template <class EntryOf>
std::vector<Count> heard_in_site(const Layout& layout, Rank me, EntryOf entry_of) {
  std::vector<Count> heard;
  for (const Rank rank : layout.ranks_of(layout.site_of(me))) {
    const std::vector<Count> entry = entry_of(rank);
    heard.insert(heard.end(), entry.begin(), entry.end());
  }
  return heard;
}

/// Of each rank.
inline std::vector<Bundles> bundles_of_all(const Topology& topology, const Tuning& tuning,
                                           const std::vector<NeighborCall>& calls) {
  const Layout& layout = topology.layout;
  std::vector<Bundles> all(calls.size());
  if (!may_bundle(topology, tuning)) return all;
  const auto edges = [&](Rank rank) -> const Neighborhood& {
    return calls[static_cast<std::size_t>(rank)].edges;
  };
  for (Rank me = 0; me < layout.size(); ++me) {
    const std::vector<Count> numbers =
        heard_in_site(layout, me, [&](Rank rank) { return crossing_numbers(layout, rank, edges(rank)); });
    const std::vector<Count> lists = heard_in_site(
        layout, me, [&](Rank rank) { return crossing_list(layout, rank, edges(rank), numbers); });
    all[static_cast<std::size_t>(me)] = bundles_of(topology, tuning, me, numbers, lists);
  }
  return all;
}

/// A Count as a message carries it: its bytes, here as text.
inline Interpreter::Memory bytes_of(const std::vector<Count>& counts) {
  Interpreter::Memory memory;
  for (const Count count : counts)
    for (std::size_t byte = 0; byte < sizeof(Count); ++byte) memory.push_back(std::to_string(count));
  return memory;
}
inline std::vector<Count> counts_of(const Interpreter::Memory& memory) {
  std::vector<Count> counts;
  for (std::size_t at = 0; at < memory.size(); at += sizeof(Count)) counts.push_back(std::stoll(memory[at]));
  return counts;
}

/// Fills in NeighborCall::bundled, for vector forms by running the survey of all ranks.
inline void tell_lengths(const Topology& topology, const std::vector<Bundles>& bundles,
                         std::vector<NeighborCall>& calls) {
  Interpreter interpreter;
  std::vector<LengthSurvey> surveys;
  for (std::size_t me = 0; me < calls.size(); ++me) {
    const auto rank = static_cast<Rank>(me);
    if (!calls[me].traits.vector) {
      calls[me].bundled =
          bundled_lengths(topology.layout, rank, bundles[me], calls[me].traits, calls[me].edges);
      continue;
    }
    surveys.emplace_back(topology.layout, rank, bundles[me], calls[me].traits);
    const LengthSurvey& own = surveys.back();
    interpreter.add(ProgramEditor::edited(own.program()),
                    bytes_of(own.told(topology.layout, rank, bundles[me], calls[me].edges)), {});
  }
  if (surveys.empty()) return;
  ASSERT_TRUE(interpreter.run(1));
  for (std::size_t me = 0; me < calls.size(); ++me) {
    const auto rank = static_cast<Rank>(me);
    calls[me].bundled = surveys[me].bundled_lengths(topology.layout, rank, bundles[me], calls[me].edges,
                                                    counts_of(interpreter.output(rank)));
  }
}

}  // namespace wan
