// SPDX-License-Identifier: BSD-3-Clause
// What coll_wan_explain says of calls. Deterministic.
#include <gtest/gtest.h>

#include "plan/global_call.h"
#include "process/explanation.h"
#include "tests/unit/process_four_sites.h"

namespace wan {
namespace {

std::string explanation(const GlobalCall& call, const Topology& topology = four_sites(),
                        const Tuning& tuning = {}) {
  return explain(topology, tuning, 0, call.view(0));
}

/// The number behind `words`.
double number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return at == text.npos ? -1 : std::strtod(text.c_str() + at + words.size(), nullptr);
}

TEST(Explanation, ALongBroadcastIsSpreadBecauseThatIsQuicker) {
  const std::string text = explanation(bcast(1'000'000));
  EXPECT_EQ(text.find("bcast of 1000000 bytes from rank 0: spread, predicted "), 0U) << text;
  EXPECT_GT(number_after(text, "predicted "), number_after(text, "bound ")) << text;
  EXPECT_GT(number_after(text, "bound "), 300) << text;
  EXPECT_LT(number_after(text, "predicted "), 500) << text;
  EXPECT_GT(number_after(text, "; next best: relayed with "), 500) << text;
}

TEST(Explanation, AShortOneGoesDirectly) {
  const std::string text = explanation(bcast(8));
  EXPECT_EQ(text.find("bcast of 8 bytes from rank 0: direct, predicted 10."), 0U) << text;
  EXPECT_NE(
      text.find(
          " ms (lower bound 10.008 ms), 3 messages with 24 bytes between sites; next best: tree with 10."),
      text.npos)
      << text;
}

TEST(Explanation, ElementsAreCountedInBytes) {
  const std::string text = explanation({Collective::allreduce, 8, 0, OperandOrder::any, 100, {}, {}, 8});
  EXPECT_EQ(text.find("allreduce of 800 bytes: direct, predicted 1"), 0U) << text;
  EXPECT_NEAR(number_after(text, "bound "), 10.4, 0.4001) << text;
}

TEST(Explanation, WhereThereIsNothingToChooseItSaysSo) {
  EXPECT_NE(explanation({Collective::barrier, 8, 0, OperandOrder::any, 0, {}, {}}).find("barrier: direct"),
            std::string::npos);
  EXPECT_NE(explanation({Collective::barrier, 8, 0, OperandOrder::any, 0, {}, {}})
                .find("; no other algorithm fits"),
            std::string::npos);
}

TEST(Explanation, WhatIsForcedIsWhatIsPredicted) {
  Tuning tuning;
  tuning.algorithms.force(Collective::bcast, Algorithm::direct);
  const std::string text = explanation(bcast(1'000'000), four_sites(), tuning);
  EXPECT_GT(number_after(text, ": direct, predicted "), 1'000) << text;
  EXPECT_LT(number_after(text, "; next best: spread with "), 500) << text;
}

TEST(Explanation, CountsThatRankZeroDoesNotKnowAreNotPredicted) {
  const std::vector<Count> counts(8, 5);
  EXPECT_NE(explanation({Collective::gatherv, 8, 0, OperandOrder::any, 0, counts, {}}).find("predicted 1"),
            std::string::npos);
  EXPECT_NE(explanation({Collective::allgatherv, 8, 0, OperandOrder::any, 0, counts, {}}).find("predicted 1"),
            std::string::npos);
  EXPECT_NE(explanation({Collective::gatherv, 8, 3, OperandOrder::any, 0, counts, {}}).find("not predicted"),
            std::string::npos);
  EXPECT_NE(explanation({Collective::alltoallv, 8, 0, OperandOrder::any, 0, std::vector<Count>(64, 5), {}})
                .find("not predicted"),
            std::string::npos);
}

TEST(Explanation, TheOverheadsOfHostsCount) {
  Topology topology = four_sites();
  const double usual = number_after(explanation(bcast(8), topology), "predicted ");
  topology.overheads.assign(8, {10'000, 10'000});
  EXPECT_NEAR(number_after(explanation(bcast(8), topology), "predicted "), usual, 1e-3);
  topology.overheads[2].receive_ns = 5'000'000;  // the coordinator of site b
  EXPECT_GT(number_after(explanation(bcast(8), topology), "predicted "), usual + 4.9);
}

}  // namespace
}  // namespace wan
