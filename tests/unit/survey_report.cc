// SPDX-License-Identifier: BSD-3-Clause
// wanctl probe without a network: tools/survey/measurements.h, report.h.
#include "tools/survey/report.h"

#include <gtest/gtest.h>

#include "topo/site_file.h"

namespace wan::tools::survey {
namespace {

using probe::Depth;
using probe::Train;

constexpr Nanoseconds kMs = 1'000'000;
constexpr Nanoseconds kSide = 200'000;  // of a round trip inside a site

probe::Finding finding(probe::Host from, probe::Host to, std::vector<Nanoseconds> round_trips,
                       std::vector<Train> there = {}, std::vector<Train> back = {}) {
  return {from, to, std::move(round_trips), std::move(there), std::move(back)};
}

/// Bytes that come at this rate.
Train train(BytesPerSecond rate) {
  return {100'000, 100'000 * Nanoseconds{1'000'000'000} / rate};
}

/// Hosts 0 and 1 at one site, 2 at another, as a round measures them.
Measurements round(Nanoseconds far, BytesPerSecond there, BytesPerSecond back) {
  return {
      {{1, 0, Depth::glance, 0}, {2, 0, Depth::glance, 0}, {1, 2, Depth::study, 0}},
      {finding(1, 0, {kSide}), finding(2, 0, {far}), finding(1, 2, {far}, {train(there)}, {train(back)})}};
}

Survey three_hosts(const Measurements& measured) {
  return {{{"10.0.0.1", "par-1"}, {"par-2", "par-2"}, {"tky-1", "tky-1"}}, {}, 3, measured};
}

TEST(SurveyReport, TakesTheLeastRoundTripAndTheRateThatMostRoundsSaw) {
  Measurements all = round(30 * kMs, 1'000'000, 2'000'000);
  append(all, round(20 * kMs, 5'000'000, 2'200'000));  // nothing was in the way of its pings
  append(all, round(40 * kMs, 1'100'000, 9'000'000));
  const Report report = report_of(three_hosts(all), "2026-01-02");
  EXPECT_EQ(report.sites, (std::vector<std::string>{"par", "par", "tky"}));
  const auto file = SiteFile::parse(report.topology, "report");
  ASSERT_TRUE(file) << file.error().message();
  const auto par = *file->site_of("par-2", {}), tky = *file->site_of("tky-1", {});
  EXPECT_NEAR(static_cast<double>(file->link(par, tky).latency_ns), 10e6, 0.1e6);
  EXPECT_EQ(file->link(par, tky).bandwidth_bytes_per_s, 1'050'000);
  EXPECT_EQ(file->link(tky, par).bandwidth_bytes_per_s, 2'100'000);
  EXPECT_TRUE(report.topology.starts_with(
      "# Measured by wanctl probe on 2026-01-02, between 3 hosts, in 3 rounds.\n[defaults]\n"))
      << report.topology;
  EXPECT_EQ(unreached_text(report), "");
  EXPECT_TRUE(untimed_texts(report).empty());
}

TEST(SurveyReport, ForgivesARoundInWhichAHostWasNotReached) {
  Measurements all = round(20 * kMs, 1'000'000, 1'000'000);
  Measurements bad = all;
  bad.findings[1].round_trips.clear();
  append(all, bad);
  EXPECT_FALSE(report_of(three_hosts(all), "").topology.empty());
}

TEST(SurveyReport, WritesNothingWhereAHostIsNotReached) {
  Measurements all = round(20 * kMs, 1'000'000, 1'000'000);
  all.findings[1].round_trips.clear();
  const Report report = report_of(three_hosts(all), "");
  EXPECT_EQ(report.topology, "");
  EXPECT_EQ(report.unreached, (std::vector<Pair>{{2, 0}}));
  EXPECT_EQ(unreached_text(report),
            "tky-1 does not reach 10.0.0.1, so no topology file is written; "
            "`wanctl doctor --hosts tky-1,10.0.0.1` says why");
  const Json json = json_of(report);
  EXPECT_EQ(json["unreached"].dump(), R"([{"from":"tky-1","to":"10.0.0.1"}])");
  EXPECT_TRUE(json["topology"].is_null());
  EXPECT_TRUE(json["hosts"][2]["site"].is_null());
}

TEST(SurveyReport, NamesFirstTheHostThatMostDoNotReach) {
  Measurements all;
  for (const auto& [from, to] : {std::pair(1, 0), {2, 0}, {2, 3}, {3, 0}, {4, 3}})
    all.errands.push_back({from, to, Depth::glance, 0});
  all.findings = {finding(2, 0, {kMs}), finding(4, 3, {})};  // what the others were to find is not known
  EXPECT_EQ(unreached_pairs(all), (std::vector<Pair>{{2, 3}, {3, 0}, {4, 3}, {1, 0}}));
  all.findings.push_back(finding(2, 3, {kMs}));
  EXPECT_EQ(unreached_pairs(all), (std::vector<Pair>{{1, 0}, {3, 0}, {4, 3}}));
}

TEST(SurveyReport, SaysWhichRatesAreEstimates) {
  Measurements all = round(20 * kMs, 1'000'000, 1'000'000);
  all.findings[2].back.clear();
  const Report report = report_of(three_hosts(all), "");
  EXPECT_EQ(report.untimed, (std::vector<Pair>{{2, 1}}));
  EXPECT_EQ(untimed_texts(report),
            std::vector<std::string>{"the rate from tky to par is an estimate: "
                                     "no bytes came through in time from tky-1 to par-2"});
  EXPECT_NE(report.topology.find("# Note: the rate from tky to par is an estimate"), std::string::npos);
  append(all, {{}, {finding(0, 2, {}, {}, {train(1'000'000)})}});
  EXPECT_TRUE(untimed_pairs(probe::partition_by(std::vector{0, 0, 1}), all).empty())
      << "another host of the site has timed some";
}

TEST(SurveyReport, SaysAsJsonWhatTheFileSays) {
  const Json json = json_of(report_of(three_hosts(round(20 * kMs, 1'000'000, 2'000'000)), ""));
  EXPECT_EQ(json["hosts"][0].dump(), R"({"asked":"10.0.0.1","name":"par-1","site":"par"})");
  EXPECT_EQ(json["rounds"], 3);
  EXPECT_EQ(json["topology"]["sites"].size(), 2u);
  EXPECT_EQ(json["topology"]["links"][0]["bandwidth_bytes_per_s"], 1'000'000);
}

}  // namespace
}  // namespace wan::tools::survey
