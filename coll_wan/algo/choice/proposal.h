// SPDX-License-Identifier: BSD-3-Clause
// What each row of algo/algorithms.def says of a call: whether it can go that way, and how long it would
// take. Equal on every rank, as it follows from what every rank knows. A proposer stands beside what it
// decides by, or in its algorithm's own file. Tested by tests/unit/algo_choice.cc.
#pragma once

#include <optional>

#include "algo/choice/way.h"
#include "algo/tuning.h"
#include "cost/spread.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

struct Question {
  const Topology& topology;  ///< whose links are as quick as connections can fill them
  const Tuning& tuning;
  const Call& call;
  bool is_forced;        ///< is this way wanted whatever it takes?
  Nanoseconds below_ns;  ///< what takes no less is not wanted; kAnyTime: everything is
};

/// Times do not count what happens inside sites.
struct Proposal {
  Way way;
  Nanoseconds time_ns = kAnyTime;         ///< kAnyTime: no estimate was needed
  Nanoseconds yields_below_ns = time_ns;  ///< another way must take less than this to be chosen instead
};

/// nullopt: it cannot be, or is not worth it.
using Proposer = std::optional<Proposal>(const Question&);

/// A second latency and its messages must gain at least a twentieth.
constexpr Nanoseconds less_a_twentieth(Nanoseconds time_ns) {
  return time_ns - time_ns / 20;
}

/// The proposers of the table, each declared once for each of its rows.
#define WAN_ALGORITHM(collective, algorithm, planner, proposer, lanes, traffic) Proposer proposer;
#include "algo/algorithms.def"

}  // namespace wan
