// SPDX-License-Identifier: BSD-3-Clause
// The applications' parts that need no MPI: the check of a QR factorization, the network's gradient, rows of
// CSV, and how peers are compared. Deterministic.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/apps/app_comparison.h"
#include "bench/apps/householder.h"
#include "bench/apps/network.h"
#include "bench/apps/runs.h"

namespace wan::bench {
namespace {

/// The factors of {{3, 1}, {4, 2}}: one reflection of (3, 4) to (-5, 0), none of the second column.
Factors two_by_two() {
  return {2, 2, {-5, 0.5, -2.2, 0.4}, {1.6, 0}};
}

TEST(Householder, ProductIsTheMatrix) {
  const std::vector<double> a = product(two_by_two());
  const std::vector<double> right = {3, 4, 1, 2};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], right[i], 1e-14) << i;
}

TEST(Householder, AReflectionIsOrthogonal) {
  EXPECT_LT(loss_of_orthogonality(two_by_two()), 1e-14);
}

TEST(Householder, AWrongFactorIsNoReflection) {
  Factors factors = two_by_two();
  factors.tau[0] = 1.5;
  EXPECT_NEAR(loss_of_orthogonality(factors), 0.125, 1e-12);
  factors.tau[0] = std::nan("");
  EXPECT_TRUE(std::isinf(loss_of_orthogonality(factors)));
}

TEST(Network, HasAsManyParametersAsAskedFor) {
  EXPECT_EQ(Network::of_size(std::size_t{4} << 18).parameters(), std::size_t{4} << 18);
  EXPECT_EQ(Network::of_size(std::size_t{64} << 18).parameters(), std::size_t{64} << 18);
}

/// Each derivative alone, by a difference of the loss.
TEST(Network, GradientIsTheDerivativeOfTheLoss) {
  const Network network = Network::of_size(36);
  std::vector<float> weights(36), gradient(36);
  network.initialize(weights, 7);
  const std::vector<Sample> samples = {network.sample(0, 7), network.sample(1, 7)};
  network.gradient(weights, samples, gradient);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::vector<float> direction(36);
    direction[i] = 1;
    const double gain =
        network.loss(weights, direction, 1e-4, samples) - network.loss(weights, direction, -1e-4, samples);
    EXPECT_NEAR(gradient[i], gain / 2e-4, 1e-5) << i;
  }
}

Repetition repetition(Nanoseconds time_ns, Nanoseconds mpi_ns) {
  return {"asp", "60 nodes", 3, time_ns, mpi_ns, 0, 100, 0};
}

TEST(Repetitions, ComeBackFromCsv) {
  Repetition one = repetition(7, 5);
  one.wrong = 2;
  const std::string text = repetition_header() + "\n" + to_csv(one) + "\n";
  const auto read = parse_repetitions(text, "a.csv");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(to_csv(read->front()), to_csv(one));
}

TEST(Repetitions, ABadLineIsNamed) {
  EXPECT_EQ(parse_repetitions(repetition_header() + "\nasp,60 nodes,3,7\n", "a.csv").error().line, 2);
}

/// stock 4 s of which 3 in MPI, coll_wan 2 s of which 1.
AppComparison two_peers() {
  AppComparison comparison;
  comparison.name = "asp";
  comparison.add("stock", std::vector{repetition(4'000'000'000, 3'000'000'000)});
  comparison.add("coll_wan", std::vector{repetition(2'000'000'000, 1'000'000'000)});
  comparison.add("han", {});
  return comparison;
}

TEST(AppComparison, SaysSpeedupAndShares) {
  const AppComparison comparison = two_peers();
  EXPECT_DOUBLE_EQ(*comparison.speedup("coll_wan"), 2.0);
  EXPECT_DOUBLE_EQ(*comparison.mpi_share("stock"), 0.75);
  EXPECT_FALSE(comparison.mpi_share("han"));
}

TEST(AppComparison, AMissingPeerOrAWrongResultIsNotRight) {
  AppComparison comparison = two_peers();
  EXPECT_TRUE(comparison.all_right({"stock", "coll_wan"}));
  EXPECT_FALSE(comparison.all_right({"stock", "han", "coll_wan"}));
  Repetition wrong = repetition(1, 1);
  wrong.wrong = 1;
  comparison.add("stock", std::vector{wrong});
  EXPECT_FALSE(comparison.all_right({"stock", "coll_wan"}));
}

TEST(AppComparison, WhoIsSlowerOrFailedMissesTheGoal) {
  const std::vector all{two_peers()};
  EXPECT_TRUE(misses(all, {"stock", "coll_wan"}, kLeastSpeedup).empty());
  EXPECT_EQ(misses(all, {"coll_wan", "stock"}, kLeastSpeedup),
            std::vector<std::string>{"asp: speed-up 0.50 instead of 0.95"});
  EXPECT_TRUE(misses(all, {"coll_wan", "stock"}, std::nullopt).empty());
  EXPECT_EQ(misses(all, {"han", "coll_wan"}, std::nullopt).size(), 1U);
}

TEST(AppComparison, TheTableHasFailuresAndMarks) {
  AppComparison comparison = two_peers();
  Repetition late = repetition(4'000'000'000, 0);
  late.late = 2;
  comparison.add("stock", std::vector{late});
  const std::string table = to_table(std::vector{comparison}, {"stock", "han", "coll_wan"});
  EXPECT_NE(table.find("4.00! "), table.npos) << table;
  EXPECT_NE(table.find("failed"), table.npos) << table;
}

TEST(AppSettings, HaveTheirFilesAndRuns) {
  for (const AppSetting& setting : app_settings("presets")) {
    EXPECT_TRUE(setting.topology.starts_with("presets/")) << setting.name;
    EXPECT_GE(setting.runs.size(), 4U) << setting.name;
  }
}

}  // namespace
}  // namespace wan::bench
