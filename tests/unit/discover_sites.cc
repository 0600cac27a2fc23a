// SPDX-License-Identifier: BSD-3-Clause
// discover/sites.h: which source is believed, and where that leaves each process.
#include <gtest/gtest.h>

#include "discover/sites.h"

namespace wan {
namespace {

using Findings = std::vector<Finding>;

Finding label(const std::string& name) {
  return {Source::label, Weight::stated, {name}, 1, "coll_wan_site"};
}
Finding in_file(const std::string& name) {
  return {Source::file, Weight::stated, {name}, 1, "coll_wan_topology"};
}
Finding zone(const std::string& region, const std::string& name) {
  return {Source::kubernetes, Weight::settled, {region, name}, 2, "NODE_ZONE"};
}
Finding cluster(const std::string& name, const std::string& leaf = "") {
  Finding finding{Source::slurm, Weight::apart, {name}, 1, "SLURM_CLUSTER_NAME"};
  if (!leaf.empty()) finding.names.push_back(leaf);
  return finding;
}
Finding application(int number) {
  return {Source::pmix, Weight::apart, {"application " + std::to_string(number)}, 0, "application number"};
}

std::vector<const Findings*> pointers(const std::vector<Findings>& processes) {
  std::vector<const Findings*> all;
  for (const Findings& each : processes) all.push_back(&each);
  return all;
}

Sites decided(const std::vector<Findings>& processes, const std::string& list = "") {
  return decide(pointers(processes), parse_sources(list, "").value());
}

/// "a/label b/file ?", the site of each process and its source.
std::string sites_of(const std::vector<Findings>& processes, const std::string& list = "") {
  std::string text;
  for (const Located& each : decided(processes, list).of)
    text += (text.empty() ? "" : " ") +
            (each.source ? each.site + "/" + std::string(name_of(*each.source)) : std::string("?"));
  return text;
}

TEST(Sites, AreOneWhereNobodySaysAnything) {
  EXPECT_EQ(sites_of({{}, {}}), "? ?");
  EXPECT_EQ(number_of(decided({{}, {}})), 1u);
  EXPECT_EQ(explain(decided({{}, {}})), "no source of sites says anything");
  EXPECT_EQ(number_of(decided({})), 0u);
}

TEST(Sites, AreStatedForEachProcessByItself) {
  EXPECT_EQ(sites_of({{label("a")}, {in_file("b")}, {}}), "a/label b/file ?");
  EXPECT_EQ(sites_of({{label("a"), in_file("b")}, {in_file("b")}}), "a/label b/file");
  EXPECT_EQ(sites_of({{label("a"), in_file("b")}, {in_file("b")}}, "file,label"), "b/file b/file");
  EXPECT_EQ(sites_of({{label("a"), in_file("b")}, {in_file("b")}}, "label"), "a/label ?");
}

TEST(Sites, FollowFromASourceThatKnowsAllThatAreLeft) {
  EXPECT_EQ(sites_of({{zone("r", "x")}, {zone("r", "y")}}), "x/kubernetes y/kubernetes");
  EXPECT_EQ(sites_of({{label("a")}, {zone("r", "y")}}), "a/label y/kubernetes");
  EXPECT_EQ(sites_of({{zone("r", "x")}, {zone("r", "y")}, {}}), "? ? ?");
  EXPECT_EQ(sites_of({{zone("r", "x"), cluster("one")}, {cluster("two")}}), "one/slurm two/slurm");
}

TEST(Sites, AreThoseOfTheUppermostNamesThatDiffer) {
  EXPECT_EQ(sites_of({{zone("r", "x")}, {zone("s", "x")}, {zone("s", "y")}}),
            "r/kubernetes s/kubernetes s/kubernetes");
  EXPECT_EQ(sites_of({{zone("r", "x")}, {zone("r", "x")}}), "x/kubernetes x/kubernetes");
}

TEST(Sites, DoNotFollowFromEqualNamesThatProveNothing) {
  EXPECT_EQ(sites_of({{cluster("one")}, {cluster("one")}}), "? ?");
  EXPECT_EQ(sites_of({{cluster("one")}, {cluster("one")}}, "slurm"), "one/slurm one/slurm");
  EXPECT_EQ(explain(decided({{cluster("one")}, {cluster("one")}})),
            "slurm (SLURM_CLUSTER_NAME) says the same of all processes, which proves nothing");
}

TEST(Sites, FollowFromHintsOnlyForAUserWhoNamesTheSource) {
  const std::vector<Findings> programs{{application(0)}, {application(1)}};
  EXPECT_EQ(sites_of(programs), "? ?");
  EXPECT_EQ(sites_of(programs, "auto"), "? ?");
  EXPECT_EQ(sites_of(programs, "pmix,auto"), "application 0/pmix application 1/pmix");
  const std::vector<Findings> switches{{cluster("c", "s1")}, {cluster("c", "s2")}};
  EXPECT_EQ(sites_of(switches), "? ?");
  EXPECT_EQ(sites_of(switches, "slurm"), "s1/slurm s2/slurm");
  EXPECT_EQ(
      explain(decided(switches)),
      "slurm (SLURM_CLUSTER_NAME) gives hints only, and does not count unless coll_wan_discover names it");
}

TEST(Sites, OfAHostThatAFileDoesNotKnowMayBeItsSubnet) {
  const Finding left_over{Source::subnet, Weight::stated, {"10.2.0.0/16"}, 1, "addresses"};
  const Finding hint{Source::subnet, Weight::apart, {"10.0.0.0/8", "10.3.0.0/16"}, 0, "addresses"};
  EXPECT_EQ(sites_of({{in_file("a")}, {left_over}}), "a/file 10.2.0.0/16/subnet");
  EXPECT_EQ(sites_of({{left_over}, {hint}}), "10.2.0.0/16/subnet ?");
}

TEST(Sites, LeaveOutWhoRunsWithoutCollWan) {
  const Findings x{zone("r", "x")}, y{zone("r", "y")};
  const std::vector<const Findings*> said{&x, nullptr, &y};
  const Sites sites = decide(said, parse_sources("", "").value());
  EXPECT_EQ(sites.of[0].site, "x");
  EXPECT_EQ(sites.of[1].source, std::nullopt);
  EXPECT_EQ(sites.of[2].site, "y");
}

TEST(Sites, AreExplained) {
  EXPECT_EQ(explain(decided({{label("a")}, {zone("r", "x")}, {zone("r", "y")}})),
            "label (coll_wan_site) names the site of 1 of 3 processes; kubernetes (NODE_ZONE) places 2 of 2 "
            "processes "
            "at different sites");
  EXPECT_EQ(explain(decided({{zone("r", "x")}, {zone("r", "x")}})),
            "kubernetes (NODE_ZONE) places 2 of 2 processes at one site");
  EXPECT_EQ(explain(decided({{zone("r", "x")}, {}})),
            "kubernetes (NODE_ZONE) knows 1 of 2 processes, and does not count because it does not know all");
}

TEST(Sites, ThatTwoSourcesStateDifferentlyAreContradictions) {
  const std::vector<Findings> processes{{label("a"), in_file("a")}, {label("b"), in_file("a")}};
  const auto found = contradictions(pointers(processes), parse_sources("", "").value());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].process, 1u);
  EXPECT_EQ(found[0].believed, Source::label);
  EXPECT_EQ(found[0].site, "b");
  EXPECT_EQ(found[0].other, Source::file);
  EXPECT_EQ(found[0].other_site, "a");
  EXPECT_TRUE(contradictions(pointers(processes), parse_sources("label", "").value()).empty());
}

std::string doubts_of(const std::vector<Findings>& processes) {
  const auto asks = parse_sources("", "").value();
  std::string all;
  for (const std::string& each : doubts(pointers(processes), asks, decided(processes))) all += each + "\n";
  return all;
}

TEST(Sites, AreDoubtedWhereASourceProvesOthers) {
  EXPECT_EQ(doubts_of({{label("a"), zone("r", "x")}, {label("a"), zone("r", "y")}}),
            "kubernetes knows several places in site a: r/x, r/y\n");
  EXPECT_EQ(doubts_of({{label("a"), zone("r", "x")}, {label("b"), zone("r", "x")}}),
            "kubernetes knows one place, r/x, in two sites: a, b\n");
  EXPECT_EQ(doubts_of({{label("a"), zone("r", "x")}, {label("b"), zone("r", "y")}}), "");
  EXPECT_EQ(doubts_of({{label("a"), cluster("c")}, {label("b"), cluster("c")}}), "");
  EXPECT_EQ(doubts_of({{label("a"), application(0)}, {label("a"), application(1)}}), "");
}

}  // namespace
}  // namespace wan
