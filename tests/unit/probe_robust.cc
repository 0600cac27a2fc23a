// SPDX-License-Identifier: BSD-3-Clause
// probe/robust.h: one value for several.
#include "probe/robust.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/time.h"

namespace wan::probe {
namespace {

TEST(Robust, TakesTheLeastRoundTrip) {
  EXPECT_EQ(least_round_trip(std::vector<Nanoseconds>{}), std::nullopt);
  EXPECT_EQ(least_round_trip(std::vector<Nanoseconds>{900, 300, 700}), 300);
}

TEST(Robust, KnowsWhereRoundTripsScatter) {
  EXPECT_FALSE(scatter(std::vector<Nanoseconds>{}));
  EXPECT_FALSE(scatter(std::vector<Nanoseconds>{10 * kMillisecond, 10 * kMillisecond, 15 * kMillisecond}))
      << "one that was held up";
  EXPECT_TRUE(scatter(std::vector<Nanoseconds>{10 * kMillisecond, 11 * kMillisecond, 12 * kMillisecond}));
  EXPECT_FALSE(scatter(std::vector<Nanoseconds>{kMillisecond, kMillisecond + 90'000, kMillisecond + 90'000}))
      << "hosts wake up so late";
}

/// Of a rate in bytes per microsecond.
Train train(Bytes bytes, double rate) {
  return {bytes, static_cast<Nanoseconds>(1e3 * static_cast<double>(bytes) / rate)};
}

TEST(Robust, TakesTheMiddleOfTheClosestHalfOfTheLongestTrains) {
  const std::vector<Train> trains{train(1'000, 99),  train(1'000, 98),   train(1'000, 97),
                                  train(30'000, 2),  train(30'000, 90),  train(30'000, 9),
                                  train(30'000, 10), train(30'000, 10.5)};
  EXPECT_EQ(train_rate(trains), 10'000'000);
  EXPECT_TRUE(agree_on_rate(trains));
}

TEST(Robust, TakesAllTrainsWhereTheLongestDoNotAgree) {
  std::vector<Train> trains{train(50'000, 3), train(50'000, 40), train(50'000, 7), train(50'000, 22)};
  EXPECT_FALSE(agree_on_rate(trains));
  for (const double rate : {9.9, 10.0, 10.1, 10.2, 10.3}) trains.push_back(train(5'000, rate));
  EXPECT_NEAR(static_cast<double>(*train_rate(trains)), 10e6, 2e5);
  EXPECT_TRUE(agree_on_rate(trains));
}

TEST(Robust, CountsTrainsWithoutASpreadAsOthers) {
  std::vector<Train> trains{train(5'000, 10), train(5'000, 10), {5'000, 0}};
  EXPECT_TRUE(agree_on_rate(trains));
  trains.push_back({5'000, 0});
  EXPECT_FALSE(agree_on_rate(trains));
  EXPECT_EQ(train_rate(trains), 10'000'000);
}

TEST(Robust, TakesTheMiddleOfTwoThatAreFarApart) {
  EXPECT_EQ(train_rate(std::vector<Train>{{20'000, 1'000'000}, {20'000, 4'000'000}}), 12'500'000);
}

TEST(Robust, KnowsNoRateOfTrainsWithoutASpread) {
  EXPECT_EQ(train_rate(std::vector<Train>{}), std::nullopt);
  EXPECT_EQ(train_rate(std::vector<Train>{{1'000, 0}, {0, 5}}), std::nullopt);
}

}  // namespace
}  // namespace wan::probe
