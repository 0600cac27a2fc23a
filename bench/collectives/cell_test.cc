// SPDX-License-Identifier: BSD-3-Clause
// Cells and rows: quantiles, the list of cells, CSV written and read back, and rows that are none.
// Deterministic.
#include <gtest/gtest.h>

#include "bench/collectives/cell.h"

namespace wan::bench {
namespace {

TEST(Quantile, TakesTheNearestRank) {
  EXPECT_EQ(quantile({30, 10, 20}, 0.5), 20);
  EXPECT_EQ(quantile({30, 10, 20}, 0), 10);
  EXPECT_EQ(quantile({30, 10, 20}, 1), 30);
  EXPECT_EQ(quantile({5, 1, 4, 2, 3}, 0.25), 2);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

TEST(Cells, ABarrierHasOneSizeAndWhatHasNoRootOneRoot) {
  const auto cells =
      cells_of({Collective::barrier, Collective::bcast, Collective::scan}, {Form::blocking}, {8, 64}, {0, 3});
  ASSERT_EQ(cells.size(), 1U + 4U + 2U);
  EXPECT_EQ(cells[0], (Cell{Collective::barrier, Form::blocking, 0, 0}));
  EXPECT_EQ(cells[2], (Cell{Collective::bcast, Form::blocking, 8, 3}));
  EXPECT_EQ(cells[6], (Cell{Collective::scan, Form::blocking, 64, 0}));
}

TEST(Names, AllMeansAll) {
  EXPECT_EQ(parse_collectives({"all"}, "--collectives")->size(), 17U);
  EXPECT_EQ(parse_forms({"all"}, "--forms")->size(), 3U);
  EXPECT_EQ(parse_forms({"overlapped"}, "--forms")->front(), Form::overlapped);
}

TEST(Names, AnUnknownOneIsNamed) {
  EXPECT_EQ(parse_collectives({"bcast", "brodcast"}, "--collectives").error().value, "brodcast");
  EXPECT_EQ(parse_forms({"lazy"}, "--forms").error().file, "--forms");
}

Row example() {
  Row row;
  row.cell = {Collective::alltoallv, Form::persistent, 4096, 3};
  row.measurement.times = {300, 100, 200};
  row.measurement.start_lateness_ns = 7;
  row.measurement.late = 2;
  row.measurement.wrong = 1;
  row.measurement.others = 5;
  return row;
}

TEST(Csv, ARowSaysItsQuantiles) {
  EXPECT_EQ(to_csv(example()), "alltoallv,persistent,4096,3,3,100,200,200,300,300,7,2,1,5,300 100 200");
}

TEST(Csv, WhatIsWrittenIsRead) {
  const std::string text = hosts_line({"a-1", "b-1"}) + "\n" + csv_header() + "\n" + to_csv(example()) + "\n";
  const auto output = parse_output(text, "rows.csv");
  ASSERT_TRUE(output.has_value());
  EXPECT_EQ(output->hosts, (std::vector<std::string>{"a-1", "b-1"}));
  ASSERT_EQ(output->rows.size(), 1U);
  EXPECT_EQ(output->rows[0].cell, example().cell);
  EXPECT_EQ(output->rows[0].measurement.times, example().measurement.times);
  EXPECT_EQ(output->rows[0].measurement.start_lateness_ns, 7);
  EXPECT_EQ(output->rows[0].measurement.late, 2);
  EXPECT_EQ(output->rows[0].measurement.wrong, 1);
  EXPECT_EQ(output->rows[0].measurement.others, 5);
}

TEST(Csv, WhatIsNoRowIsNamedByItsLine) {
  const std::string row = to_csv(example());
  for (const std::string& wrong :
       {row.substr(0, row.size() - 8) + ",", "brodcast" + row.substr(9), row + "x", row + ",1"}) {
    const auto output = parse_output(csv_header() + "\n" + wrong, "rows.csv");
    ASSERT_FALSE(output.has_value()) << wrong;
    EXPECT_EQ(output.error().line, 2);
  }
}

}  // namespace
}  // namespace wan::bench
