// SPDX-License-Identifier: BSD-3-Clause
// A cell as its ranks call it: on MPI_COMM_WORLD, or between two groups of its ranks, equally many, on an
// intercommunicator. No MPI here. Tested by bench/collectives/cell_call_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bench/collectives/cell.h"
#include "plan/global_call.h"

namespace wan::bench {

enum class Grouping : std::uint8_t {
  none,
  halves,  ///< the lower ranks, and the higher ones
  parity   ///< even ranks, odd ranks: groups that share sites
};

std::string_view name(Grouping grouping);

/// Who takes part, and who has how much.
struct Distribution {
  Distribution(Grouping among = Grouping::none, Rank every = 1) : grouping(among), concentration(every) {}

  Grouping grouping;
  /// Of the vector forms: every so many-th rank alone has, or gets, blocks, so many times as long. Groups
  /// know 1 only.
  Rank concentration;

  bool is_plain() const { return grouping == Grouping::none && concentration == 1; }
  /// The length of a rank's block, where each would have `block`.
  Count block_of(Rank rank, Count block) const {
    return rank % concentration == 0 ? block * concentration : 0;
  }
};
/// Of the options --groups and --concentration.
Result<Distribution> parse_distribution(const std::string& groups, Rank concentration);

/// Ranks of the world, the first group before the second.
std::vector<Rank> in_groups(Grouping grouping, Rank size);
/// Is it defined on such communicators?
bool is_defined(Collective collective, Grouping grouping);

/// The elements are those of wan-bench: of 8 bytes where the length allows it, else of one; of what moves
/// data, bytes.
struct CellCall {
  GlobalCall call;
  std::vector<Rank> ranks;  ///< of the world: those who take part, by their rank in `call`
};
/// size: of the world, even if there are groups. The cell's root is one of the first group.
CellCall call_of(const Cell& cell, Rank size, const Distribution& distribution = {});

}  // namespace wan::bench
