// SPDX-License-Identifier: BSD-3-Clause
// probe/restate.h and probe/site_names.h: what is found becomes a topology file.
#include "probe/restate.h"

#include <gtest/gtest.h>

#include "base/time.h"
#include "probe/site_names.h"
#include "topo/site_file.h"

namespace wan::probe {
namespace {

using Names = std::vector<std::string>;

std::vector<std::string> named(const Names& hosts, const std::vector<int>& sites) {
  return site_names(partition_by(sites), hosts);
}

TEST(SiteNames, AreWhatTheNamesOfHostsBeginWith) {
  EXPECT_EQ(named({"par-01", "tky1", "par-02"}, {0, 1, 0}), (Names{"par", "tky"}));
  EXPECT_EQ(named({"n1.paris.example.org", "n2.tokyo.example.org"}, {0, 1}),
            (Names{"n1.paris.example.org", "n2.tokyo.example.org"}));
}

TEST(SiteNames, AreThoseOfHostsWhereTheBeginningDoesNotTell) {
  EXPECT_EQ(named({"node1", "node2", "node3"}, {0, 0, 1}), (Names{"node1", "node3"}));
  EXPECT_EQ(named({"10-0-0-1", "10-0-1-1"}, {0, 1}), (Names{"10-0-0-1", "10-0-1-1"}));
  EXPECT_EQ(named({"a b", "a.b", "a_b"}, {0, 1, 2}), (Names{"a_b", "a.b", "a_b_2"}));
}

Exploration found(const std::vector<int>& sites, const LinkMatrix& links) {
  return {partition_by(sites), {}, links, {}, {}};
}

LinkMatrix links_of_two() {
  LinkMatrix links(3);
  links.at(0, 1) = Link{12'345'678, 12'500'000, 0};
  links.at(1, 0) = Link{12'345'678, 125'000, 0};
  return links;
}

TEST(Restate, WritesAFileThatTheTopologyParameterAccepts) {
  const Names hosts{"par1", "par2", "tky1", "lost"};
  const auto result = found({0, 0, 1, 2}, links_of_two());
  const auto sites = sites_of_hosts(result, hosts, std::nullopt);
  const auto file = SiteFile::parse(topology_text(result, hosts, sites), "probe");
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ(file->sites().size(), 3u);
  EXPECT_EQ(file->site_of("par2", {}), file->site_named("par"));
  const SiteIndex par = *file->site_named("par"), tky = *file->site_named("tky"),
                  lost = *file->site_named("lost");
  EXPECT_EQ(file->link(par, tky), (Link{12'346'000, 12'500'000, 0}));
  EXPECT_EQ(file->link(tky, par), (Link{12'346'000, 125'000, 0}));
  // Nobody reached it: the worst that is known.
  EXPECT_EQ(file->link(lost, par), (Link{12'346'000, 125'000, 0}));
}

TEST(Restate, KeepsNamesThatSitesHave) {
  const Names hosts{"a1", "b1", "a2"}, known{"Paris", "Tokyo", "Paris"};
  EXPECT_EQ(labels_of(known), (std::vector<int>{0, 1, 0}));
  LinkMatrix links(2);
  links.at(0, 1) = links.at(1, 0) = Link{5 * kMillisecond, 1'000'000, 0};
  const auto result = found(labels_of(known), links);
  const auto file =
      SiteFile::parse(topology_text(result, hosts, sites_of_hosts(result, hosts, known)), "probe");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->link(*file->site_named("Tokyo"), *file->site_named("Paris")),
            (Link{5 * kMillisecond, 1'000'000, 0}));
  EXPECT_EQ(file->site_of("a2", {}), file->site_named("Paris"));
}

TEST(Restate, TakesTheLinksOfHostsForThoseOfTheirSites) {
  // Hosts 0 and 1 are neighbours, and somebody has named them two sites.
  Exploration result = found({0, 0, 1}, LinkMatrix(2));
  result.findings = {
      {1, 0, {200'000}, {}, {}}, {2, 0, {20 * kMillisecond}, {}, {}}, {2, 1, {24 * kMillisecond}, {}, {}}};
  const Exploration again = restated(result, {"x", "y", "z"});
  EXPECT_EQ(again.sites.groups, 3);
  ASSERT_TRUE(again.links.at(0, 1) && again.links.at(2, 1));
  EXPECT_NEAR(static_cast<double>(again.links.at(0, 1)->latency_ns), 1e5, 1e3);
  EXPECT_NEAR(static_cast<double>(again.links.at(2, 1)->latency_ns), 12e6, 1e4);
}

TEST(Restate, WritesOneSite) {
  const auto result = found({0, 0}, LinkMatrix(1));
  const Names hosts{"n1", "n2"};
  const auto file =
      SiteFile::parse(topology_text(result, hosts, sites_of_hosts(result, hosts, std::nullopt)), "probe");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->sites().size(), 1u);
}

}  // namespace
}  // namespace wan::probe
