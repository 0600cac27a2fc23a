// SPDX-License-Identifier: BSD-3-Clause
// cost/regions.h: regions by the gaps between links, and trees that use all links between them.
#include "cost/regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/unit/cost_network.h"

namespace wan {
namespace {

using Parents = std::vector<SiteIndex>;

/// Far apart, but for the sites that are in one region.
Mesh mesh_of(const Regions& regions, Link near) {
  SiteIndex sites = 0;
  for (const auto& region : regions) sites += static_cast<SiteIndex>(region.size());
  Mesh mesh(sites, 80_ms, 12_MBps);
  for (const auto& region : regions)
    for (const SiteIndex from : region)
      for (const SiteIndex to : region) mesh.link(from, to) = near;
  return mesh;
}

constexpr Link kNear{2'000'000, 100'000'000, 0};

std::vector<Regions> found_in(const Network& network, Bytes bytes) {
  return regions_of(View(network), bytes);
}

TEST(Regions, AreNotFoundAmongEqualLinks) {
  EXPECT_TRUE(found_in(Network(4, Link{10_ms, 12_MBps, 0}), 1'000).empty());
}

TEST(Regions, AreNotFoundWhereASiteIsAlone) {
  // Two sites: there is no link inside a region.
  EXPECT_TRUE(found_in(Network(2, Link{10_ms, 12_MBps, 0}), 1'000).empty());
}

TEST(Regions, FollowLatencies) {
  const Regions regions{{0, 2}, {1, 3, 4}};
  EXPECT_EQ(found_in(mesh_of(regions, kNear).network(), 1'000), std::vector<Regions>{regions});
}

TEST(Regions, FollowRatesWhereThereIsMuchToSend) {
  const Regions regions{{0, 1}, {2, 3}};
  const Network network = mesh_of(regions, {80_ms, 100_MBps, 0}).network();
  EXPECT_TRUE(found_in(network, 1'000).empty());
  EXPECT_EQ(found_in(network, 10'000'000), std::vector<Regions>{regions});
}

TEST(Regions, CountTheSlowerDirection) {
  Mesh mesh = mesh_of({{0, 1}, {2, 3}}, kNear);
  mesh.link(0, 1).latency_ns = 80_ms;
  EXPECT_EQ(found_in(mesh.network(), 1'000), (std::vector<Regions>{{{0}, {1}, {2, 3}}}));
}

TEST(Regions, HaveALevelForEachGap) {
  Mesh mesh = mesh_of({{0, 1, 2, 3}, {4, 5, 6, 7}}, {10_ms, 100_MBps, 0});
  for (const SiteIndex even : {0, 2, 4, 6}) mesh.link(even, even + 1) = mesh.link(even + 1, even) = kNear;
  EXPECT_EQ(found_in(mesh.network(), 1'000),
            (std::vector<Regions>{{{0, 1}, {2, 3}, {4, 5}, {6, 7}}, {{0, 1, 2, 3}, {4, 5, 6, 7}}}));
}

TEST(Regions, MayBeSitesAlone) {
  const Regions regions{{0}, {1, 2}};
  EXPECT_EQ(found_in(mesh_of(regions, kNear).network(), 1'000), std::vector<Regions>{regions});
}

Parents star_of(SiteIndex sites, SiteIndex source) {
  Parents star(static_cast<std::size_t>(sites), source);
  star[static_cast<std::size_t>(source)] = kNoSite;
  return star;
}

TEST(RegionalTrees, EnterARegionAtAllOfItsSites) {
  const auto trees =
      regional_trees({{0, 1}, {2, 3}}, 0, star_of(4, 0), {false, true, true, true}, Exit::source, Entry::one);
  EXPECT_EQ(trees, (std::vector<RouteTree>{{24, {kNoSite, 0, 0, 2}}, {24, {kNoSite, 0, 3, 0}}}));
}

TEST(RegionalTrees, LeaveARegionFromAllOfItsSites) {
  const auto trees = regional_trees({{0, 1}, {2, 3}}, 0, star_of(4, 0), {false, true, true, true},
                                    Exit::region, Entry::each);
  EXPECT_EQ(trees, (std::vector<RouteTree>{{24, {kNoSite, 0, 0, 0}}, {24, {kNoSite, 0, 1, 1}}}));
}

TEST(RegionalTrees, UseEveryLinkBetweenTwoRegionsAlike) {
  for (const SiteIndex source : {0, 1, 2}) {
    const auto trees = regional_trees({{0, 1, 2}, {3, 4}}, source, star_of(5, source),
                                      std::vector<bool>(5, true), Exit::region, Entry::one);
    SiteMatrix<int> stripes(5);
    for (const RouteTree& tree : trees)
      for (SiteIndex to = 3; to < 5; ++to) {
        const SiteIndex from = tree.parents[static_cast<std::size_t>(to)];
        if (from < 3) stripes.at(from, to) += tree.stripes;
      }
    for (SiteIndex from = 0; from < 3; ++from)
      for (SiteIndex to = 3; to < 5; ++to) EXPECT_EQ(stripes.at(from, to), kStripes / 6) << from << to;
  }
}

TEST(RegionalTrees, AreNoneWhereOtherRegionsNeedNothing) {
  EXPECT_TRUE(regional_trees({{0, 1}, {2, 3}}, 0, star_of(4, 0), {false, true, false, false}, Exit::region,
                             Entry::one)
                  .empty());
}

TEST(RegionalTrees, PassThroughSitesOfTheStarAlone) {
  // A scan: sites before the source have nothing of it.
  const auto trees = regional_trees({{0, 2}, {1, 3, 4}}, 2, {kNoSite, kNoSite, kNoSite, 2, 2},
                                    {false, false, false, true, true}, Exit::region, Entry::one);
  EXPECT_EQ(trees, (std::vector<RouteTree>{{24, {kNoSite, kNoSite, kNoSite, 2, 3}},
                                           {24, {kNoSite, kNoSite, kNoSite, 4, 2}}}));
}

TEST(RegionalTrees, AreNoneWhereThereWouldBeTooMany) {
  Regions regions(2);
  for (SiteIndex site = 0; site < 14; ++site) regions[site < 7 ? 0 : 1].push_back(site);
  const std::vector<bool> wanted(14, true);
  EXPECT_TRUE(regional_trees(regions, 0, star_of(14, 0), wanted, Exit::region, Entry::one).empty());
  EXPECT_EQ(regional_trees(regions, 0, star_of(14, 0), wanted, Exit::source, Entry::one).size(), 7u);
  EXPECT_EQ(regional_trees(regions, 0, star_of(14, 0), wanted, Exit::source, Entry::one, 7).size(), 7u);
  EXPECT_TRUE(regional_trees(regions, 0, star_of(14, 0), wanted, Exit::source, Entry::one, 6).empty());
}

TEST(RegionalTrees, EnterUnequalRegionsAtEachSite) {
  const Regions regions{{0}, {1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11, 12}, {13, 14, 15}};  // 105 would be even
  const auto trees =
      regional_trees(regions, 0, star_of(16, 0), std::vector<bool>(16, true), Exit::region, Entry::one);
  EXPECT_EQ(trees.size(), 7u);
  for (SiteIndex site = 1; site < 16; ++site)
    EXPECT_TRUE(std::ranges::any_of(trees, [&](const RouteTree& tree) {
      return tree.parents[static_cast<std::size_t>(site)] == 0;
    })) << site;
}

}  // namespace
}  // namespace wan
