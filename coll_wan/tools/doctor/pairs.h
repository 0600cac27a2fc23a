// SPDX-License-Identifier: BSD-3-Clause
// What the parts of the judgement ask of a pair of hosts. Pure. Tested through tests/unit/doctor_judge_*.cc.
#pragma once

#include "tools/doctor/facts.h"

namespace wan::tools::doctor {

/// From here on a way is long: what TCP is set to begins to matter, noise of a busy host does not.
inline constexpr Nanoseconds kLongRoundTrip = 2'000'000;

/// The pair of the opposite direction; nullptr if it was not tried.
const PairFacts* reverse_of(const Facts& facts, const PairFacts& pair);
/// The address of the pair's second host that all its ports were tried at: that of the first attempt.
const std::string& main_address(const PairFacts& pair);
/// True if a port of the main address that Open MPI needs did not answer.
bool is_blocked(const PairFacts& pair);
/// True if the first host got an answer from some port of the second.
bool is_reached(const PairFacts& pair);

/// Round trip and rate, as the topology file states them, or as they were measured; a rate of 0: neither.
StatedLink link_of(const PairFacts& pair);
/// Bytes under way that fill the link.
double product_of(const StatedLink& link);

}  // namespace wan::tools::doctor
