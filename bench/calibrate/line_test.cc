// SPDX-License-Identifier: BSD-3-Clause
// A line through measured times. Deterministic.
#include <gtest/gtest.h>

#include "bench/calibrate/line.h"

namespace wan::bench {
namespace {

TEST(Line, GoesThroughPointsOnALine) {
  const Timing exact[] = {{0, 2'000}, {1'000, 2'250}, {32'000, 10'000}};
  const Line line = fit(exact);
  EXPECT_EQ(line.overhead_ns, 2'000);
  EXPECT_EQ(line.ps_per_byte, 250);
}

TEST(Line, ShortTimesCountAsMuchAsLongOnes) {
  const Timing bent[] = {
      {0, 1'000}, {1, 1'000}, {10'000, 11'000}, {20'000, 41'000}};  // the last twice what it should be
  EXPECT_NEAR(static_cast<double>(fit(bent).overhead_ns), 1'000, 50);
}

TEST(Line, NoPartIsNegative) {
  const Timing falling[] = {{0, 2'000}, {1'000, 1'000}};
  EXPECT_EQ(fit(falling).ps_per_byte, 0);
  const Timing steep[] = {{1'000, 1'000}, {2'000, 3'000}};
  EXPECT_EQ(fit(steep).overhead_ns, 0);
}

}  // namespace
}  // namespace wan::bench
