// SPDX-License-Identifier: BSD-3-Clause
// Is a Schedule a correct and wide-area optimal realisation of a collective? Runs all its Programs on
// symbolic values, every send synchronous, and counts: each contribution exactly once and in order
// (invariants 3, 4), equal results (5), no deadlock (2), pairing (1), no hazards (7), inter-site latencies,
// messages and units (6); of a barrier, that nobody leaves before all have entered. Knows no algorithm.
// Tested by tests/unit/check_verify.cc and with mutants of valid Schedules (tests/property/mutants.cc).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check/contract.h"
#include "plan/program.h"
#include "topo/layout.h"

namespace wan {

struct Traffic {
  std::int64_t messages = 0;
  Count units = 0;
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Between sites, or between hosts: from -> to -> what went there.
using TrafficMatrix = std::map<std::pair<std::int32_t, std::int32_t>, Traffic>;

struct Verdict {
  std::vector<std::string> defects;  ///< empty: the Schedule is correct
  /// Inter-site messages on the longest path. A step that waits for the completion of an inter-site send
  /// counts one more: a rendezvous makes it wait for the far side.
  int latencies = 0;
  TrafficMatrix between_sites;  ///< by site of the Layout
  TrafficMatrix between_hosts;  ///< by group at level 0, within one site
  std::int64_t repeated_units =
      0;  ///< contributions that entered a site a second time (papers/004, condition 2)

  bool is_correct() const { return defects.empty(); }
};

Verdict verify(const Schedule& schedule, const GlobalCall& call, const Layout& layout);

/// The hazards of one Program: pairs of steps that touch the same units, one writing, neither ordered before
/// the other.
std::vector<std::string> hazards(const Program& program);

}  // namespace wan
