// SPDX-License-Identifier: BSD-3-Clause
// Self-consistent performance guidelines as an oracle (Traff, Gropp and Thakur, "Self-consistent MPI
// performance guidelines", IEEE TPDS 21(5), 2010): no collective should be slower than what does the same by
// other collectives, than its more general form, than a longer one of its own, than its pieces one after the
// other, or than another peer's. No MPI here. Tested by bench/collectives/guidelines_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/collectives/comparison.h"

namespace wan::bench {

/// Of two times that are one by the guideline, or should be in this order, the first may be longer by this
/// much of it: noise.
inline constexpr double kGuidelineNoise = 0.05;

struct GuidelineCheck {
  std::string text;  ///< "allreduce 4096 bytes <= reduce 4096 + bcast 4096"
  Nanoseconds time_ns = 0, other_ns = 0;
  double ratio() const { return static_cast<double>(time_ns) / static_cast<double>(other_ns); }
  bool is_violated() const { return ratio() > 1 + kGuidelineNoise; }
};

/// All that can be checked of the blocking forms of `peer` with root 0 on a communicator of `ranks`.
std::vector<GuidelineCheck> check_guidelines(std::span<const Comparison> comparisons, const std::string& peer,
                                             Rank ranks);

/// How many were checked and violated, and the violations, the worst first, one line each.
std::string guidelines_report(std::vector<GuidelineCheck> checks);

}  // namespace wan::bench
