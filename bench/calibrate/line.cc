// SPDX-License-Identifier: BSD-3-Clause
#include "bench/calibrate/line.h"

#include <algorithm>
#include <cmath>

#include "base/invariant.h"

namespace wan::bench {

Line fit(std::span<const Timing> timings) {
  double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;  // weighted sums
  for (const auto [bytes, time_ns] : timings) {
    const auto x = static_cast<double>(bytes), y = static_cast<double>(time_ns), weight = 1 / (y * y);
    w += weight, wx += weight * x, wxx += weight * x * x, wy += weight * y, wxy += weight * x * y;
  }
  const double determinant = w * wxx - wx * wx;
  invariant(determinant > 0, "two lengths");
  const double slope = std::max(0.0, (w * wxy - wx * wy) / determinant);
  const double overhead = std::max(0.0, (wy - slope * wx) / w);
  return {std::llround(overhead), std::llround(1'000 * slope)};
}

}  // namespace wan::bench
