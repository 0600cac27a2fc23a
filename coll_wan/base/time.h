// SPDX-License-Identifier: BSD-3-Clause
// Durations as people say them.
#pragma once

#include "base/types.h"

namespace wan {

inline constexpr Nanoseconds kMillisecond = 1'000'000, kSecond = 1'000 * kMillisecond;

/// Milliseconds, to be shown. Time: a number of nanoseconds.
template <class Time>
constexpr double in_ms(Time time) {
  return static_cast<double>(time) / 1e6;
}

}  // namespace wan
