// SPDX-License-Identifier: BSD-3-Clause
// bench/collectives/guidelines.h: what is checked of a few times, and what is found. Deterministic.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/collectives/guidelines.h"

namespace wan::bench {
namespace {

constexpr Rank kRanks = 4;

Row row(Collective collective, Bytes bytes, Nanoseconds milliseconds) {
  Row one;
  one.cell = {collective, Form::blocking, bytes, 0};
  one.measurement.times = {milliseconds * 1'000'000};
  return one;
}

std::vector<GuidelineCheck> checks_of(const std::vector<Row>& rows, const std::vector<Row>& others = {}) {
  Collection collection;
  collection.add("coll_wan", rows);
  collection.add("tuned", others);
  return check_guidelines(collection.comparisons(), "coll_wan", kRanks);
}

/// The text of each check, with '!' where it is violated.
std::vector<std::string> texts(const std::vector<GuidelineCheck>& checks) {
  std::vector<std::string> found;
  for (const GuidelineCheck& check : checks) found.push_back(check.text + (check.is_violated() ? "!" : ""));
  return found;
}

using Texts = std::vector<std::string>;

TEST(Guidelines, CompareWithCompositions) {
  EXPECT_EQ(texts(checks_of({row(Collective::allreduce, 8, 25), row(Collective::reduce, 8, 10),
                             row(Collective::bcast, 8, 10)})),
            (Texts{"allreduce 8 <= reduce 8 + bcast 8!", "reduce 8 <= allreduce 8"}));
}

TEST(Guidelines, CompareWithAllRanksPartsAndWithShares) {
  EXPECT_EQ(texts(checks_of({row(Collective::scatter, 8, 10), row(Collective::bcast, 32, 9)})),
            Texts{"scatter 8 <= bcast 32!"});
  EXPECT_EQ(texts(checks_of({row(Collective::bcast, 32, 30), row(Collective::scatter, 8, 10),
                             row(Collective::allgather, 8, 10)})),
            (Texts{"bcast 32 <= scatter 8 + allgather 8!", "scatter 8 <= bcast 32"}));
}

TEST(Guidelines, CompareWithLongerOnesAndWithPieces) {
  EXPECT_EQ(texts(checks_of({row(Collective::scan, 8, 20), row(Collective::scan, 16, 10)})),
            (Texts{"scan 8 <= scan 16!", "scan 16 <= 2 x 8"}));
  EXPECT_EQ(texts(checks_of({row(Collective::scan, 8, 10), row(Collective::scan, 20, 40)})),
            Texts{"scan 8 <= scan 20"})
      << "no whole number of pieces";
}

TEST(Guidelines, CompareWithOtherPeers) {
  EXPECT_EQ(texts(checks_of({row(Collective::scan, 8, 20)}, {row(Collective::scan, 8, 15)})),
            Texts{"scan 8 blocking <= that of tuned!"});
}

TEST(Guidelines, AreReportedTheWorstFirst) {
  const auto checks = checks_of({row(Collective::scan, 8, 20), row(Collective::bcast, 8, 30)},
                                {row(Collective::scan, 8, 15), row(Collective::bcast, 8, 10)});
  EXPECT_EQ(guidelines_report(checks),
            "guidelines: 2 checked, 2 violated\n"
            "  bcast 8 blocking <= that of tuned: 30.00 instead of 10.00 ms, 3.00 x\n"
            "  scan 8 blocking <= that of tuned: 20.00 instead of 15.00 ms, 1.33 x\n");
}

}  // namespace
}  // namespace wan::bench
