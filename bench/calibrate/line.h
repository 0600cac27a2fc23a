// SPDX-License-Identifier: BSD-3-Clause
// A straight line through measured times: what a message costs, and what each of its bytes. No MPI here.
// Tested by bench/calibrate/line_test.cc.
#pragma once

#include <span>

#include "cost/machine.h"

namespace wan::bench {

/// A typical time for messages of one length.
struct Timing {
  Bytes bytes;
  Nanoseconds time_ns;
};

/// time = overhead + bytes x each.
struct Line {
  Nanoseconds overhead_ns = 0;
  PicosecondsPerByte ps_per_byte = 0;
};

/// Minimises the squares of the relative errors, so that short messages count as much as long ones. Neither
/// part is negative. At least two lengths, times above 0.
Line fit(std::span<const Timing> timings);

}  // namespace wan::bench
