// SPDX-License-Identifier: BSD-3-Clause
// What MPI promises: what each rank's buffers hold before a collective, and what its output must hold
// afterwards. Written from the MPI standard, without a look at the algorithms. Tested by
// tests/unit/check_contract.cc.
#pragma once

#include <optional>
#include <vector>

#include "check/expression.h"
#include "plan/global_call.h"

namespace wan {

/// What a unit of an output must be in the end: the combination, in rank order, of unit `index` of ranks
/// first..last (one rank: that unit itself).
struct Wanted {
  Rank first = 0, last = 0;
  Count index = 0;
  friend bool operator==(const Wanted&, const Wanted&) = default;
};

/// The combination of unit `index` of ranks first..last in fixed order (cost/combining.h), counted from
/// `first`.
Value in_fixed_order(Expressions& expressions, const Wanted& wanted);

/// The buffers of one rank before the call; input[i], output[i] (kUndefined where nothing stands).
struct Contents {
  std::vector<Value> input, output;
};
Contents contents_before(const GlobalCall& call, Rank rank, Expressions& expressions);

/// Entry i: what output[i] of `rank` must be; nullopt where MPI leaves it open.
std::vector<std::optional<Wanted>> wanted_output(const GlobalCall& call, Rank rank);

}  // namespace wan
