// SPDX-License-Identifier: BSD-3-Clause
// How long the parts of an exploration may take, so that a job waits for it for at most two seconds.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace wan::probe {

/// From the first errand until what was found is known to all.
inline constexpr Nanoseconds kLongestExploration = 2'000'000'000;
/// A host reports its glances after this at the latest.
inline constexpr Nanoseconds kGlanceTime = 700'000'000;
/// The last reports of studies come by then.
inline constexpr Nanoseconds kStudiesEnd = 1'850'000'000;

/// A busy host wakes up so much later.
inline constexpr Nanoseconds kLateness = 20'000'000;

/// How long a host may study: from when it hears of it, half a round trip after `elapsed_ns`, until its
/// report can still come in time, though the ways may take a quarter longer and the host may be busy.
constexpr Nanoseconds study_time(Nanoseconds elapsed_ns, Nanoseconds round_trip_ns) {
  return std::max<Nanoseconds>(0, kStudiesEnd - elapsed_ns - round_trip_ns - round_trip_ns / 4 - kLateness);
}

}  // namespace wan::probe
