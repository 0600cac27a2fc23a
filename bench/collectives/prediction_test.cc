// SPDX-License-Identifier: BSD-3-Clause
// Predictions of cells, their errors against measurements, and how tables show them. Deterministic.
#include <gtest/gtest.h>

#include "bench/collectives/prediction.h"
#include "bench/collectives/table.h"

namespace wan::bench {
namespace {

/// Two sites, 10 ms and 1 MB/s apart, with two ranks on one host each.
Topology two_sites() {
  return {Layout(std::vector<Path>{{"a", "1"}, {"a", "1"}, {"b", "2"}, {"b", "2"}}),
          Network(2, {10'000'000, 1'000'000, 0})};
}

/// Nothing costs anything but the wide area.
Machine free_machine() {
  Machine machine;
  machine.shared_memory = machine.tcp = {{0, 0}, 0, 0, 1'000'000};
  machine.host_link = machine.site_link = {0, 1'000'000'000'000'000, 0};
  machine.copy_ps_per_byte = machine.reduce_ps_per_byte = 0;
  machine.framing = Framing::none();
  return machine;
}

double ms(Nanoseconds time) {
  return static_cast<double>(time) / 1e6;
}
constexpr double kRounding = 1e-5;  ///< ms: inside a site each message takes a nanosecond or so

Comparison measured(const Cell& cell, Nanoseconds median_ns) {
  Comparison comparison;
  comparison.cell = cell;
  comparison.peers["coll_wan"].median_ns = median_ns;
  comparison.peers["tuned"].median_ns = 1;
  return comparison;
}

TEST(Prediction, IsTheSimulationOfThePlansOfAllRanks) {
  const Topology topology = two_sites();
  const Model model(topology, free_machine());
  EXPECT_EQ(predict({Collective::barrier, Form::blocking, 0, 0}, model), 10'000'000);
  EXPECT_NEAR(ms(predict({Collective::bcast, Form::blocking, 1'000, 3}, model)), 11, kRounding);
  EXPECT_NEAR(ms(predict({Collective::allreduce, Form::blocking, 8'000, 0}, model)), 18, kRounding)
      << "units are elements of 8 bytes";
  EXPECT_NEAR(ms(predict({Collective::allgather, Form::blocking, 1'001, 0}, model)), 12.002, kRounding)
      << "a block of each of a site's ranks";
}

TEST(Prediction, OfCallsWithASurveyHasItsTimeToo) {
  const Topology topology = two_sites();
  Machine machine = free_machine();
  const Cell cell{Collective::alltoallv, Form::blocking, 10, 0};
  const Nanoseconds without = predict(cell, Model(topology, machine));
  machine.host_link.latency_ns =
      1'000'000;  // the survey's message, a block to the coordinator, a block from it
  EXPECT_EQ(predict(cell, Model(topology, machine)), without + 3'000'000);
}

TEST(Prediction, TheErrorIsRelativeToTheMeasurement) {
  Comparison comparison = measured({Collective::barrier, Form::blocking, 0, 0}, 20'000'000);
  EXPECT_FALSE(comparison.error("coll_wan"));
  comparison.predicted_ns = 15'000'000;
  EXPECT_DOUBLE_EQ(*comparison.error("coll_wan"), -0.25);
  EXPECT_FALSE(comparison.error("han"));
}

TEST(Prediction, TheMedianErrorIsThatOfItsAmount) {
  EXPECT_FALSE(median_error({}));
  std::vector<Comparison> comparisons;
  for (const Nanoseconds predicted_ns : {70, 101, 125, 0}) {  // -30 %, 1 %, 25 %, none
    comparisons.push_back(measured({Collective::barrier, Form::blocking, 0, 0}, 100));
    comparisons.back().predicted_ns = predicted_ns;
  }
  EXPECT_DOUBLE_EQ(*median_error(comparisons), 0.25);
  comparisons.pop_back();
  comparisons.pop_back();
  EXPECT_NEAR(*median_error(comparisons), (0.30 + 0.01) / 2, 1e-12);
}

TEST(Prediction, OverlappedCellsHaveNone) {
  const Topology topology = two_sites();
  std::vector<Comparison> comparisons{measured({Collective::barrier, Form::overlapped, 0, 0}, 100),
                                      measured({Collective::barrier, Form::persistent, 0, 0}, 100)};
  add_predictions(comparisons, Model(topology, free_machine()));
  EXPECT_EQ(comparisons[0].predicted_ns, 0);
  EXPECT_EQ(comparisons[1].predicted_ns, 10'000'000);
}

TEST(Prediction, StandsInTablesWhereThereIsOne) {
  std::vector<Comparison> comparisons{measured({Collective::barrier, Form::blocking, 0, 0}, 20'000'000)};
  EXPECT_EQ(to_table(comparisons, {"coll_wan"}).find("predicted"), std::string::npos);
  EXPECT_NE(to_csv(comparisons, {"coll_wan"}).find(",0,,\n"), std::string::npos);
  comparisons[0].predicted_ns = 15'000'000;
  EXPECT_NE(to_table(comparisons, {"coll_wan"}).find("15.00  -25.0 %"), std::string::npos);
  const std::string csv = to_csv(comparisons, {"tuned", "coll_wan"});
  EXPECT_NE(csv.find(",15000000,-0.2500\n"), std::string::npos);
  EXPECT_NE(csv.find(",0,,\n"), std::string::npos) << "the others are not predicted";
}

}  // namespace
}  // namespace wan::bench
