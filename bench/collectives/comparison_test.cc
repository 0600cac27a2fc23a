// SPDX-License-Identifier: BSD-3-Clause
// Comparisons: passes put together, medians, speed-ups, bounds from hosts and a topology file, and goals.
// Deterministic.
#include <gtest/gtest.h>

#include "bench/collectives/comparison.h"
#include "bench/collectives/settings.h"
#include "bench/collectives/table.h"

namespace wan::bench {
namespace {

constexpr Cell kBcast{Collective::bcast, Form::blocking, 1'000, 2};

Row row(const Cell& cell, std::vector<Nanoseconds> times) {
  Row one;
  one.cell = cell;
  one.measurement.times = std::move(times);
  return one;
}

/// bcast: tuned 40, han 30, wan 20 ms.
std::vector<Comparison> three_peers() {
  Collection collection;
  collection.add("tuned", {row(kBcast, {39'000'000, 40'000'000})});
  collection.add("han", {row(kBcast, {30'000'000})});
  collection.add("coll_wan", {row(kBcast, {20'000'000})});
  collection.add("tuned", {row(kBcast, {41'000'000})});
  return collection.comparisons();
}

TEST(Comparison, RepetitionsOfAllPassesCount) {
  const auto all = three_peers();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].of("tuned")->repetitions, 3);
  EXPECT_EQ(all[0].of("tuned")->median_ns, 40'000'000);
}

TEST(Comparison, TheSpeedupIsOverTheBestOther) {
  const auto all = three_peers();
  EXPECT_DOUBLE_EQ(*all[0].speedup("coll_wan"), 1.5);
  EXPECT_DOUBLE_EQ(*all[0].speedup("han"), 20.0 / 30.0);
  EXPECT_FALSE(all[0].speedup("mpich"));
}

TEST(Comparison, OnePeerAloneHasNoSpeedup) {
  Collection collection;
  collection.add("coll_wan", {row(kBcast, {20})});
  EXPECT_FALSE(collection.comparisons()[0].speedup("coll_wan"));
}

SiteFile two_sites() {
  return *SiteFile::parse(
      "[defaults]\nlatency = \"10 ms\"\nbandwidth = \"1 MB/s\"\n"
      "[site.a]\nhosts = [\"a-[1-2]\"]\n[site.b]\nhosts = [\"b-1\"]\n",
      "two.toml");
}

TEST(Bounds, ComeFromTheHostsOfTheRanks) {
  const auto topology = topology_of({"a-1", "a-2", "b-1"}, two_sites());
  ASSERT_TRUE(topology.has_value());
  auto all = three_peers();
  add_bounds(all, *topology);
  EXPECT_EQ(all[0].bound_ns, 11'000'000);
  EXPECT_NEAR(*all[0].in_bounds("coll_wan"), 20.0 / 11.0, 1e-9);
}

TEST(Bounds, AHostThatNoSiteHasIsNamed) {
  EXPECT_EQ(topology_of({"a-1", "c-1"}, two_sites()).error().file, "c-1");
}

TEST(Goals, BoundsAreReachedOrMissed) {
  auto all = three_peers();
  all[0].bound_ns = 10'000'000;
  EXPECT_TRUE(misses(all, {{{1000, 2.0, {}}}, {}}, "coll_wan").empty());
  EXPECT_EQ(misses(all, {{{1000, 1.9, {}}}, {}}, "coll_wan").size(), 1U);
  EXPECT_TRUE(misses(all, {{{999, 1.9, {}}}, {}}, "coll_wan").empty());  // of another size
  EXPECT_TRUE(misses(all, {{{999, 1.9, {}}, {1001, 2.0, {}}}, {}}, "coll_wan")
                  .empty());  // the first tier that takes it
}

TEST(Goals, TheMedianOfTheCellsIsReachedOrMissed) {
  auto all = three_peers();
  for (int i = 0; i < 2; ++i) all.push_back(all[0]);
  for (Comparison& each : all) each.bound_ns = 10'000'000;
  all[1].bound_ns = 1'000'000;
  EXPECT_NEAR(*median_in_bounds(all, "coll_wan"), 2.0, 1e-9);
  EXPECT_TRUE(misses(all, {{}, {}, 2.0}, "coll_wan").empty());
  EXPECT_EQ(misses(all, {{}, {}, 1.9}, "coll_wan").size(), 1U);
  all.clear();
  EXPECT_EQ(median_in_bounds(all, "coll_wan"), std::nullopt);
}

TEST(Goals, MeansTakeThePlaceOfMedians) {
  Comparison cell;
  cell.bound_ns = 10;
  cell.peers["tuned"] = summarize({30, 30, 30}, 0, 0);
  cell.peers["coll_wan"] = summarize({10, 10, 70}, 0, 0);
  EXPECT_NEAR(*cell.in_bounds("coll_wan"), 1, 1e-9);
  EXPECT_NEAR(*cell.speedup("coll_wan"), 3, 1e-9);
  cell.statistic = Statistic::mean;
  EXPECT_NEAR(*cell.in_bounds("coll_wan"), 3, 1e-9);
  EXPECT_NEAR(*cell.speedup("coll_wan"), 1, 1e-9);
}

TEST(Bounds, OfHalfOfEachLinkTakeTwiceTheTimeOfTheBytes) {
  auto file = two_sites();
  const auto topology = topology_of({"a-1", "a-2", "b-1"}, file);
  const Topology half = with_rates_divided(*topology, 2);
  EXPECT_EQ(half.network.link(0, 1).latency_ns, topology->network.link(0, 1).latency_ns);
  EXPECT_EQ(half.network.link(0, 1).bandwidth_bytes_per_s,
            topology->network.link(0, 1).bandwidth_bytes_per_s / 2);
  EXPECT_EQ(half.network.uplink(0), topology->network.uplink(0));
}

TEST(Goals, SpeedupsAreReachedOrMissed) {
  const auto all = three_peers();
  EXPECT_TRUE(misses(all, {{}, 1.0}, "coll_wan").empty());
  EXPECT_EQ(misses(all, {{}, 1.0}, "han").size(), 1U);
}

TEST(Goals, TheGeometricMeanOfATierIsReachedOrMissed) {
  auto all = three_peers();  // speed-up 1.5
  all.push_back(all[0]);
  all[1].peers["coll_wan"].median_ns /= 4;  // 6
  const Goal reached{{{1000, 9.0, 2.9}}, {}}, missed{{{1000, 9.0, 3.1}}, {}};
  EXPECT_NEAR(*mean_speedup(all, reached, reached.tiers[0], "coll_wan"), 3.0, 1e-9);
  EXPECT_TRUE(misses(all, reached, "coll_wan").empty());
  EXPECT_EQ(misses(all, missed, "coll_wan").size(), 1U);
  const Goal of_nobody{{{999, 9.0, 3.1}}, {}};
  EXPECT_EQ(mean_speedup(all, of_nobody, of_nobody.tiers[0], "coll_wan"), std::nullopt);
}

TEST(Goals, ABarrierAloneMakesNoMean) {
  auto all = three_peers();
  all.push_back(all[0]);
  all[1].cell = {Collective::barrier, Form::blocking, 0, 0};
  const Goal goal{{{999, 9.0, 3.1}, {1000, 9.0, 1.4}}, {}};
  EXPECT_TRUE(misses(all, goal, "coll_wan").empty());
  all[1].cell.bytes = 8;
  EXPECT_EQ(misses(all, goal, "coll_wan").size(), 1U);
}

TEST(Goals, TheMeanIsOfBlockingCalls) {
  auto all = three_peers();
  all.push_back(all[0]);
  all[1].cell.form = Form::nonblocking;
  all[1].peers["coll_wan"].median_ns *= 2;
  const Goal goal{{{1000, 9.0, 1.4}}, {}};
  EXPECT_TRUE(misses(all, goal, "coll_wan").empty());
  all[1].cell.form = Form::blocking;
  EXPECT_EQ(misses(all, goal, "coll_wan").size(), 1U);
}

TEST(Goals, WhatAnOverlappedCallLeavesIsHeldAgainstTheNonblockingOne) {
  auto all = three_peers();
  all[0].cell.form = Form::nonblocking;
  all.push_back(all[0]);
  all[1].cell.form = Form::overlapped;
  Summary& left = all[1].peers["coll_wan"];
  left.median_ns = all[0].peers["coll_wan"].median_ns / 10;
  all[1].peers["han"].median_ns = 1;
  EXPECT_TRUE(misses(all, {{{1000, 9.0, 1.4}}, 1.0}, "coll_wan").empty()) << "not against other peers";
  left.median_ns *= 2;
  EXPECT_EQ(misses(all, {}, "coll_wan").size(), 1U);
  all.erase(all.begin());
  EXPECT_TRUE(misses(all, {}, "coll_wan").empty()) << "against nothing that was not measured";
}

TEST(Goals, APeerThatFailedMisses) {
  EXPECT_EQ(misses(three_peers(), {{{1000, 2.0, {}}}, {}}, "mpich").size(), 1U);
}

TEST(Goals, WhatSomebodyElseKeepsIsThatOfItsWorstCell) {
  Row more = row(kBcast, {20}), less = more;
  less.cell.bytes *= 2;
  more.measurement.others = 500;
  less.measurement.others = 300;
  Collection collection;
  collection.add("coll_wan", {more, less});
  auto all = collection.comparisons();
  EXPECT_EQ(least_kept_by_others(all, "coll_wan"), std::nullopt) << "of an unknown rate";
  add_least_rate(all, Network(2, Link{0, 1'000, 0}));
  EXPECT_NEAR(*least_kept_by_others(all, "coll_wan"), 0.3, 1e-9);
  EXPECT_EQ(least_kept_by_others(all, "han"), std::nullopt);
  EXPECT_TRUE(misses(all, {{}, {}, {}, 0.3}, "coll_wan").empty());
  EXPECT_EQ(misses(all, {{}, {}, {}, 0.31}, "coll_wan").size(), 1U);
}

TEST(Goals, AWrongResultMisses) {
  auto all = three_peers();
  EXPECT_TRUE(misses(all, {{}, 1.0}, "coll_wan").empty());
  all[0].peers["coll_wan"].wrong = 1;
  EXPECT_EQ(misses(all, {{}, 1.0}, "coll_wan").size(), 1U);
}

TEST(Table, NamesTheRootAndMarksWhatWasLateOrWrong) {
  auto all = three_peers();
  all[0].peers["han"].late = 1;
  all[0].peers["coll_wan"].wrong = 1;
  const std::string text = to_table(all, {"tuned", "han", "coll_wan"});
  EXPECT_NE(text.find("bcast, root 2"), text.npos);
  EXPECT_NE(text.find("40.00  "), text.npos);
  EXPECT_NE(text.find("30.00! "), text.npos);
  EXPECT_NE(text.find("20.00 ?"), text.npos);
  EXPECT_NE(text.find("! In more than a quarter of the repetitions the emulator delivered"), text.npos);
  EXPECT_NE(text.find("? A result was wrong."), text.npos);
}

TEST(Table, ExplainsNoMarkThatIsNotThere) {
  const std::string text = to_table(three_peers(), {"tuned", "han", "coll_wan"});
  EXPECT_EQ(text.find('!'), text.npos);
  EXPECT_EQ(text.find('?'), text.npos);
}

TEST(Table, HasAPartForEachSizeAndTheBarrierInTheFirst) {
  const Cell barrier{Collective::barrier, Form::blocking, 0, 0};
  Cell longer = kBcast;
  longer.bytes = 65'536;
  Collection collection;
  collection.add("coll_wan", {row(barrier, {10}), row(longer, {30}), row(kBcast, {20})});
  const std::string text = to_table(collection.comparisons(), {"coll_wan"});
  const auto first = text.find("collective"), second = text.find("collective", first + 1);
  ASSERT_NE(second, text.npos);
  EXPECT_EQ(text.find("collective", second + 1), text.npos);
  EXPECT_LT(text.find("barrier"), second);
  EXPECT_LT(text.find(" 1000 "), second);
  EXPECT_GT(text.find(" 65536 "), second);
}

}  // namespace
}  // namespace wan::bench
