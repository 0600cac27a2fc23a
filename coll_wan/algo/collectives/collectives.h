// SPDX-License-Identifier: BSD-3-Clause
// The planners that plan() chooses from; each is in a file of its own or of its collective. Each takes a
// Position (where this rank stands), a Call and what was chosen, and returns this rank's Program. Tested by
// tests/property.
#pragma once

#include "algo/algorithm.h"
#include "algo/choice/choice.h"
#include "algo/exchange/position.h"
#include "plan/call.h"
#include "plan/program.h"

namespace wan {

using Planner = Program(const Position&, const Call&, const Choice&);

/// The planners of the table, each declared once for each of its rows.
#define WAN_ALGORITHM(collective, algorithm, planner, proposer, lanes, traffic) Planner planner;
#include "algo/algorithms.def"

/// scan and exscan in fixed order (cost/combining.h).
Planner plan_scan_in_fixed_order;

}  // namespace wan
