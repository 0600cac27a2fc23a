// SPDX-License-Identifier: BSD-3-Clause
// Layout: how sites and the groups below them are numbered and nested; by example and, against a definition
// that compares paths pairwise, at random. Deterministic but for RapidCheck's seed; no threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "topo/layout.h"

namespace wan {
namespace {

std::vector<Rank> ranks(const Layout& layout, SiteIndex site) {
  const auto span = layout.ranks_of(site);
  return {span.begin(), span.end()};
}

std::vector<std::int32_t> groups(const Layout& layout, int level) {
  std::vector<std::int32_t> all;
  for (Rank rank = 0; rank < layout.size(); ++rank) all.push_back(layout.group_of(level, rank));
  return all;
}

TEST(Layout, OneRankIsOneSite) {
  const std::vector<Path> paths{{"paris"}};
  const Layout layout(paths);
  EXPECT_EQ(layout.size(), 1);
  EXPECT_EQ(layout.sites(), 1);
  EXPECT_EQ(layout.levels(), 0);
  EXPECT_EQ(ranks(layout, 0), (std::vector<Rank>{0}));
}

TEST(Layout, SitesAreNumberedByLowestRank) {
  const std::vector<Path> paths{{"tokyo"}, {"paris"}, {"tokyo"}, {"lima"}, {"paris"}};
  const Layout layout(paths);
  ASSERT_EQ(layout.sites(), 3);
  EXPECT_EQ(layout.site_name(0), "tokyo");
  EXPECT_EQ(layout.site_name(1), "paris");
  EXPECT_EQ(layout.site_name(2), "lima");
  EXPECT_EQ(ranks(layout, 0), (std::vector<Rank>{0, 2}));
  EXPECT_EQ(ranks(layout, 1), (std::vector<Rank>{1, 4}));
  EXPECT_EQ(ranks(layout, 2), (std::vector<Rank>{3}));
}

TEST(Layout, HostsOfOneNameInTwoSitesAreTwoGroups) {
  const std::vector<Path> paths{{"b", "n1"}, {"a", "n1"}, {"b", "n1"}, {"a", "n2"}};
  const Layout layout(paths);
  ASSERT_EQ(layout.levels(), 1);
  EXPECT_EQ(groups(layout, 0), (std::vector<std::int32_t>{0, 1, 0, 2}));
}

std::vector<Rank> carriers(const Layout& layout, SiteIndex site) {
  const auto span = layout.carriers_of(site);
  return {span.begin(), span.end()};
}

TEST(Layout, OneRankOfEachHostCarriesThenAnother) {
  const std::vector<Path> paths{{"a", "1"}, {"a", "1"}, {"b", "3"}, {"a", "2"}, {"a", "1"}};
  const Layout layout(paths);
  EXPECT_EQ(carriers(layout, 0), (std::vector<Rank>{0, 3, 1, 4}));
  EXPECT_EQ(carriers(layout, 1), (std::vector<Rank>{2}));
  EXPECT_EQ(carriers(Layout(std::vector<Path>{{"a"}, {"b"}, {"a"}}), 0), (std::vector<Rank>{0, 2}));
}

TEST(Layout, WhoIsNearTheNetworkCarriesFirst) {
  const std::vector<Path> paths{{"a", "1"}, {"a", "1"}, {"a", "2"}, {"a", "2"}};
  const Layout layout(paths, {false, false, false, true});
  EXPECT_EQ(carriers(layout, 0), (std::vector<Rank>{3, 0, 1, 2}));
  EXPECT_EQ(layout.best_carrier(std::vector<Rank>{2, 3}), 3);
  EXPECT_EQ(layout.best_carrier(std::vector<Rank>{0, 1}), 0);
  EXPECT_EQ(carriers(layout.split_at(2), 1), (std::vector<Rank>{3, 2}));
  EXPECT_EQ(carriers(layout.of(std::vector<Rank>{2, 3}), 0), (std::vector<Rank>{1, 0}));
}

TEST(LayoutDeathTest, NearnessIsOfAllRanks) {
  EXPECT_DEATH(Layout(std::vector<Path>{{"a"}, {"b"}}, {true}), "near the network");
}

TEST(Layout, DeeperLevelsNestInTheLevelAbove) {
  const std::vector<Path> paths{{"s", "n1", "0"}, {"s", "n2", "0"}, {"s", "n1", "1"}, {"s", "n1", "0"}};
  const Layout layout(paths);
  ASSERT_EQ(layout.levels(), 2);
  EXPECT_EQ(groups(layout, 0), (std::vector<std::int32_t>{0, 1, 0, 0}));
  EXPECT_EQ(groups(layout, 1), (std::vector<std::int32_t>{0, 1, 2, 0}));
}

TEST(Layout, PathsThatEndEarlyShareOneGroupBelow) {
  const std::vector<Path> paths{{"s"}, {"s", "n1", "0"}, {"s"}, {"s", "n1"}, {"t"}, {"s", "n1"}, {"s", ""}};
  const Layout layout(paths);
  EXPECT_EQ(groups(layout, 0), (std::vector<std::int32_t>{0, 1, 0, 1, 2, 1, 3}));
  EXPECT_EQ(groups(layout, 1), (std::vector<std::int32_t>{0, 1, 0, 2, 3, 2, 4}));
}

TEST(LayoutDeathTest, NoPathOrAnEmptyOneAborts) {
  const std::vector<Path> none, empty{{"s"}, {}};
  EXPECT_DEATH(Layout{none}, "at least one rank");
  EXPECT_DEATH(Layout{empty}, "at least its site");
}

/// Paths of up to three levels over few labels, so that names collide between parents.
std::vector<Path> random_paths() {
  const auto label = rc::gen::element<std::string>("a", "b", "c");
  const auto path = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 4), [label](std::size_t depth) {
    return rc::gen::container<Path>(depth, label);
  });
  return *rc::gen::nonEmpty(rc::gen::container<std::vector<Path>>(path));
}

/// The first `depth` labels, or all where the path is shorter.
Path prefix(const Path& path, std::size_t depth) {
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(std::min(depth, path.size()))};
}

/// What the numbering must be: equal prefixes share a number, and numbers rise with the lowest rank.
std::vector<std::int32_t> expected_groups(const std::vector<Path>& paths, std::size_t depth) {
  std::vector<Path> seen;
  std::vector<std::int32_t> groups;
  for (const Path& path : paths) {
    const auto at = std::ranges::find(seen, prefix(path, depth)) - seen.begin();
    if (at == std::ssize(seen)) seen.push_back(prefix(path, depth));
    groups.push_back(static_cast<std::int32_t>(at));
  }
  return groups;
}

RC_GTEST_PROP(LayoutProperty, GroupsAreTheDistinctPrefixesInRankOrder, ()) {
  const auto paths = random_paths();
  const Layout layout(paths);
  const auto sites = expected_groups(paths, 1);
  for (Rank rank = 0; rank < layout.size(); ++rank)
    RC_ASSERT(layout.site_of(rank) == sites[static_cast<std::size_t>(rank)]);
  for (int level = 0; level < layout.levels(); ++level)
    RC_ASSERT(groups(layout, level) == expected_groups(paths, static_cast<std::size_t>(level) + 2));
}

RC_GTEST_PROP(LayoutProperty, RanksOfSitesPartitionTheRanks, ()) {
  const auto paths = random_paths();
  const Layout layout(paths);
  Rank counted = 0;
  for (SiteIndex site = 0; site < layout.sites(); ++site) {
    const auto members = ranks(layout, site);
    RC_ASSERT(!members.empty());
    RC_ASSERT(std::ranges::is_sorted(members));
    for (const Rank rank : members) RC_ASSERT(layout.site_of(rank) == site);
    counted += static_cast<Rank>(members.size());
  }
  RC_ASSERT(counted == layout.size());
}

}  // namespace
}  // namespace wan
