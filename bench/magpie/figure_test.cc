// SPDX-License-Identifier: BSD-3-Clause
// MagPIe's figures: their axes, the ranks on the clusters, tables. Deterministic.
#include <gtest/gtest.h>

#include "bench/magpie/figure.h"

namespace wan::bench {
namespace {

TEST(Figures, AreThreeToEightWithThePapersAxes) {
  int number = 3;
  for (const Figure& figure : figures()) {
    EXPECT_EQ(figure.number, number++);
    for (const int clusters : figure.clusters) {
      for (const int processes : figure.processes) EXPECT_EQ(processes % clusters, 0) << figure.title;
    }
  }
  EXPECT_EQ(number, 9);
}

TEST(Ranks, AreEvenOnTheFirstClusters) {
  EXPECT_EQ(ranks_option(1, 32), "cluster-1=32");
  EXPECT_EQ(ranks_option(2, 16), "cluster-1=8,cluster-2=8");
}

Point point() {
  Point one;
  one.bytes = 65'536;
  one.clusters = 4;
  one.processes = 24;
  one.bound_ns = 10'000'000;
  one.peers["stock"] = summarize({60'000'000}, 0, 0);
  one.peers["coll_wan"] = summarize({15'000'000}, 0, 0);
  return one;
}

TEST(Figures, TheTableHasTimesBoundAndSpeedup) {
  const std::string table = to_table(std::vector{point()}, {"stock", "coll_wan"});
  EXPECT_NE(table.find("65536        4        24      60.0        15.0        10.0      4.00"), table.npos)
      << table;
}

TEST(Figures, TheCsvHasALineForEachPeer) {
  const std::string csv = to_csv(std::vector{point()}, {"stock", "han", "coll_wan"});
  EXPECT_NE(csv.find("65536,4,24,coll_wan,15000000,15000000,15000000,1,0,0,10000000\n"), csv.npos) << csv;
  EXPECT_EQ(csv.find(",han,"), csv.npos) << csv;
}

}  // namespace
}  // namespace wan::bench
