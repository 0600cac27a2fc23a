// SPDX-License-Identifier: BSD-3-Clause
// probe/robust.h: one value for several.
#include "probe/robust.h"

#include <gtest/gtest.h>

#include <vector>

namespace wan::probe {
namespace {

TEST(Robust, TakesTheLeastOfFewRoundTrips) {
  EXPECT_EQ(least_round_trip(std::vector<Nanoseconds>{}), std::nullopt);
  EXPECT_EQ(least_round_trip(std::vector<Nanoseconds>{900, 300, 700}), 300);
}

TEST(Robust, TakesTheMeanOfTheLeastOfMany) {
  std::vector<Nanoseconds> samples(16, 1'000'000);
  samples[3] = 100;
  samples[9] = 300;
  EXPECT_EQ(least_round_trip(samples), 200);
}

TEST(Robust, TakesTheMedianRateOfTheLongestTrains) {
  const std::vector<Train> trains{
      {1'000, 1'000}, {30'000, 3'000'000}, {30'000, 300'000}, {30'000, 3'100'000}};
  EXPECT_EQ(train_rate(trains), 10'000'000);
}

TEST(Robust, KnowsNoRateOfTrainsWithoutASpread) {
  EXPECT_EQ(train_rate(std::vector<Train>{}), std::nullopt);
  EXPECT_EQ(train_rate(std::vector<Train>{{1'000, 0}, {0, 5}}), std::nullopt);
}

}  // namespace
}  // namespace wan::probe
