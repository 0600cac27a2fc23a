// SPDX-License-Identifier: BSD-3-Clause
// Forecasts, the records of plans, and the report that is made of them.
#include <gtest/gtest.h>

#include <thread>

#include "process/report.h"
#include "tests/unit/process_four_sites.h"

namespace wan {
namespace {

constexpr PlanFacts kDirect{{static_cast<int>(Collective::bcast)}, Algorithm::direct, 1, 8};

TEST(Forecast, KnowsAllRanksAndThisOne) {
  const auto root = forecast(four_sites(), {}, 0, bcast(8).view(0), Extent::with_stock);
  const auto leaf = forecast(four_sites(), {}, 7, bcast(8).view(7), Extent::own_plan);
  ASSERT_TRUE(root && leaf);
  EXPECT_EQ(root->time_ns, leaf->time_ns);
  EXPECT_LT(root->own_ns, 1'000'000);
  EXPECT_GT(leaf->own_ns, 10'000'000);
  EXPECT_GE(root->time_ns, root->bound_ns);
  ASSERT_TRUE(root->stock);
  EXPECT_GT(root->stock->time_ns, root->time_ns);
  EXPECT_FALSE(leaf->stock);
  ASSERT_EQ(root->links.size(), 3U);
  EXPECT_EQ(root->links[1].from + root->links[1].to, "ac");
  EXPECT_EQ(root->links[1].messages, 1);
  EXPECT_EQ(root->links[1].bytes, 8);
}

TEST(Forecast, IsNotMadeOfWhatNobodyKnowsOrTakesLong) {
  const GlobalCall gatherv{Collective::gatherv, 8, 3, OperandOrder::any, 0, std::vector<Count>(8, 5), {}};
  EXPECT_FALSE(forecast(four_sites(), {}, 0, gatherv.view(0), Extent::own_plan));
  EXPECT_TRUE(forecast(four_sites(), {}, 3, gatherv.view(3), Extent::own_plan));
  std::vector<Path> paths(257, Path{"a"});
  paths.back() = {"b"};
  const Topology large{Layout(paths), Network(2, Link{10'000'000, 1'000'000, 0})};
  const GlobalCall among_many{Collective::bcast, 257, 0, OperandOrder::any, 8, {}, {}};
  EXPECT_FALSE(forecast(large, {}, 0, among_many.view(0), Extent::own_plan));
}

TEST(PlanRecord, KeepsWhatCallsTook) {
  PlanRecord record(kDirect, "on here: bcast");
  EXPECT_EQ(record.times().calls, 0U);
  EXPECT_EQ(record.count(3'000'000), 1U);
  EXPECT_EQ(observed_text(record), "on here: bcast: the first call took 3.000 ms; not predicted");
  EXPECT_EQ(record.count(1'000'000), 2U);
  const PlanTimes times = record.times();
  EXPECT_EQ(times.least, 1'000'000);
  EXPECT_EQ(times.most, 3'000'000);
  EXPECT_EQ(times.mean(), 2'000'000);
  EXPECT_FALSE(record.was_predicted());
  EXPECT_FALSE(record.times_of(5).predicted);
  record.set_forecast(Forecast{9'000'000, 7'000'000, 6'000'000, {}, {}});
  record.set_forecast(std::nullopt);  // too late
  EXPECT_EQ(observed_text(record),
            "on here: bcast: 2 calls took 2.000 ms on average, 1.000 ms at least; predicted for this process "
            "7.000 ms");
  EXPECT_EQ(record.times_of(5).predicted->time, 7'000'000);
  EXPECT_EQ(record.times_of(5).predicted->bound, 6'000'000);
}

TEST(PlanRecord, ThatThereIsNoForecastIsKnown) {
  PlanRecord record(kDirect);
  record.set_forecast(std::nullopt);
  EXPECT_TRUE(record.was_predicted());
  EXPECT_EQ(record.forecast(), nullptr);
}

TEST(PlanRecord, IsToldAfterSomeCalls) {
  for (const std::uint64_t calls : {1, 10, 100}) EXPECT_TRUE(is_told_after(calls));
  for (const std::uint64_t calls : {2, 9, 11, 1000}) EXPECT_FALSE(is_told_after(calls));
}

TEST(PlanRecord, ThreadsLoseNothing) {
  constexpr int kThreads = 4, kEach = 5000;
  PlanRecord record(kDirect);
  std::vector<std::thread> threads;
  for (int thread = 1; thread <= kThreads; ++thread)
    threads.emplace_back([&, thread] {
      record.set_forecast(Forecast{thread, thread, thread, {}, {}});
      for (int i = 0; i < kEach; ++i) record.count(thread);
    });
  for (std::thread& thread : threads) thread.join();
  const PlanTimes times = record.times();
  EXPECT_EQ(times.calls, std::uint64_t{kThreads * kEach});
  EXPECT_EQ(times.sum, 10 * kEach);
  EXPECT_EQ(times.least, 1);
  EXPECT_EQ(times.most, 4);
}

TEST(Ledger, GivesTheSameRecordForTheSameTitleAndWay) {
  Ledger ledger;
  const auto first = ledger.record("one", kDirect);
  EXPECT_EQ(ledger.record("one", kDirect), first);
  EXPECT_NE(ledger.record("two", kDirect), first);
  PlanFacts spread = kDirect;
  spread.algorithm = Algorithm::spread;
  EXPECT_NE(ledger.record("one", spread), first);
  EXPECT_EQ(ledger.records().size(), 3U);
}

TEST(Ledger, IsBounded) {
  Ledger ledger;
  for (std::size_t i = 0; i < 2 * Ledger::kMost; ++i) ledger.record(std::to_string(i), kDirect)->count(1);
  EXPECT_EQ(ledger.records().size(), Ledger::kMost + 1);
  const auto& others = *ledger.records().back();
  EXPECT_EQ(others.title(), "other calls: bcast");
  EXPECT_EQ(others.times().calls, Ledger::kMost);
  EXPECT_TRUE(others.was_predicted());
}

ReportedJob job() {
  ReportedJob job;
  job.processes = 8;
  job.pml = "ucx";
  job.eager_limit = 8'191;
  const auto predicted = std::make_shared<PlanRecord>(kDirect, "on \"A\\B\"\n: bcast");
  predicted->set_forecast(Forecast{
      9'000'000, 7'000'000, 6'000'000, {{"a", "b", 2, 16}}, StockForecast{StockAlgorithm::ring, 20'000'000}});
  predicted->count(8'000'000);
  predicted->count(10'000'000);
  const auto unknown = std::make_shared<PlanRecord>(kDirect, "unknown");
  unknown->count(1);
  const auto never = std::make_shared<PlanRecord>(kDirect, "never called");
  job.plans = {predicted, unknown, never};
  job.sent = {{"a", "b", 3, 24}};
  job.totals.of[static_cast<std::size_t>(Collective::bcast)][static_cast<std::size_t>(Algorithm::direct)] = {
      3, 24};
  job.totals.wait_ns = 2'500'000;
  job.totals.call_ns = 18'000'001;
  job.totals.plan_hits = 1;
  job.totals.plan_misses = 2;
  return job;
}

TEST(Report, IsJson) {
  EXPECT_EQ(report_json(job()), R"({
  "format": 1,
  "processes": 8,
  "pml": "ucx",
  "eager_limit": 8191,
  "plans": [
    {"call": "on \"A\\B\"\u000a: bcast", "collective": "bcast", "algorithm": "direct", "lanes": 1, "calls": 2, "took_ms": {"sum": 18.000000, "mean": 9.000000, "least": 8.000000, "most": 10.000000}, "predicted_ms": {"all": 9.000000, "this_process": 7.000000, "lower_bound": 6.000000}, "stock": {"algorithm": "ring", "predicted_ms": 20.000000}},
    {"call": "unknown", "collective": "bcast", "algorithm": "direct", "lanes": 1, "calls": 1, "took_ms": {"sum": 0.000001, "mean": 0.000001, "least": 0.000001, "most": 0.000001}, "predicted_ms": null, "stock": null}
  ],
  "calls": [
    {"collective": "bcast", "algorithm": "direct", "calls": 3, "bytes": 24}
  ],
  "links": [
    {"from": "a", "to": "b", "messages": 4, "bytes": 32}
  ],
  "sent_by_this_process": [
    {"from": "a", "to": "b", "messages": 3, "bytes": 24}
  ],
  "call_ms": 18.000001,
  "wait_ms": 2.500000,
  "plans_found": 1,
  "plans_made": 2
}
)");
}

TEST(Report, OfNothingIsJsonToo) {
  EXPECT_NE(report_json({}).find("\"plans\": [],\n  \"calls\": [],\n  \"links\": [],"), std::string::npos);
}

TEST(Report, IsAPageOfText) {
  const std::string text = report_text(job());
  for (const char* part :
       {"report of the first of 8 processes", "PML ucx, which sends up to 8191 bytes without",
        "took 18.000 ms, of which it waited 2.500 ms", "2 made, 1 found",
        "unknown\n    direct           1       0.000       0.000           -           -           -\n",
        "    direct           2       9.000       8.000       9.000       6.000      20.000 (ring)\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_EQ(text.find("never called"), std::string::npos);
}

TEST(Report, FilesFollowFromTheName) {
  EXPECT_EQ(files_of_report("").text, "");
  EXPECT_EQ(files_of_report("/tmp/a.json").json, "/tmp/a.json");
  EXPECT_EQ(files_of_report("/tmp/a.json").text, "/tmp/a.json.txt");
  EXPECT_EQ(files_of_report("a.txt").json, "");
  EXPECT_EQ(files_of_report("a.txt").text, "a.txt");
}

}  // namespace
}  // namespace wan
