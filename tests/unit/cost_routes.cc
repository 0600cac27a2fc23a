// SPDX-License-Identifier: BSD-3-Clause
// cost/routes.h: stars where nothing is gained, detours around slow and long links, stripes that add up, the
// mirror image.
#include <gtest/gtest.h>

#include <numeric>

#include "base/index.h"
#include "base/time.h"
#include "cost/routes.h"
#include "tests/unit/cost_network.h"

namespace wan {
namespace {

constexpr Link kGood{10 * kMillisecond, 100 * kMegabyte, 0};

/// All links good but that from site 0 to site 2.
Network network_with(Link bad) {
  std::vector<Link> links(9, kGood);
  links[2] = bad;
  return Network(3, links, {{}, {}, {}}, {{}, {}, {}});
}

/// What `source` sends: as many bytes to each other site.
RouteDemand demand(SiteIndex sites, SiteIndex source, Bytes bytes, bool is_multicast) {
  RouteDemand demand{SiteMatrix<std::optional<Bytes>>(sites), is_multicast};
  for (SiteIndex to = 0; to < sites; ++to)
    if (to != source) demand.bytes.at(source, to) = bytes;
  return demand;
}

int stripes(const std::vector<RouteTree>& trees) {
  return std::accumulate(trees.begin(), trees.end(), 0,
                         [](int sum, const RouteTree& tree) { return sum + tree.stripes; });
}

TEST(Routes, OverEqualLinksAreDirect) {
  const Network network(4, kGood);
  for (const bool is_multicast : {false, true}) {
    RouteDemand all{SiteMatrix<std::optional<Bytes>>(4), is_multicast};
    for (SiteIndex from = 0; from < 4; ++from)
      for (SiteIndex to = 0; to < 4; ++to)
        if (from != to) all.bytes.at(from, to) = 10 * kMegabyte;
    EXPECT_FALSE(relayed_routes(network, all, 1));
    const Routes direct = direct_routes(network, all);
    EXPECT_EQ(direct.time_ns, 110 * kMillisecond);
    for (const auto& trees : direct.trees) EXPECT_EQ(stripes(trees), kStripes);
  }
}

TEST(Routes, AvoidALongLink) {
  const Network network = network_with({100 * kMillisecond, 100 * kMegabyte, 0});
  for (const bool is_multicast : {false, true}) {
    const auto routes = relayed_routes(network, demand(3, 0, 1'000, is_multicast), 1);
    ASSERT_TRUE(routes);
    ASSERT_EQ(routes->trees[0].size(), 1u);
    EXPECT_EQ(routes->trees[0][0].parents, (std::vector<SiteIndex>{kNoSite, 0, 1}));
    EXPECT_LT(routes->time_ns, 21 * kMillisecond);
    EXPECT_GE(routes->time_ns, 20 * kMillisecond);
    EXPECT_GE(routes->presence[0][0][2].first_ns, 20 * kMillisecond);
    EXPECT_TRUE(routes->trees[1].empty());  // it sends nothing
  }
}

TEST(Routes, ShareASlowLinkWithADetour) {
  const Network network = network_with({10 * kMillisecond, 10 * kMegabyte, 0});
  const auto routes = relayed_routes(network, demand(3, 0, 10 * kMegabyte, true), 1'000);
  ASSERT_TRUE(routes);
  EXPECT_EQ(stripes(routes->trees[0]), kStripes);
  // Site 1 needs all of it, which takes 110 ms; passing it on costs nothing but a latency.
  EXPECT_LT(routes->time_ns, 125 * kMillisecond);
}

TEST(Routes, RelieveAnAccessLink) {
  const Network network(4, std::vector<Link>(16, kGood), {10 * kMegabyte, {}, {}, {}}, {{}, {}, {}, {}});
  const auto routes = relayed_routes(network, demand(4, 0, kMegabyte, true), 1'000);
  ASSERT_TRUE(routes);
  EXPECT_EQ(direct_routes(network, demand(4, 0, kMegabyte, true)).time_ns, 310 * kMillisecond);
  EXPECT_LT(routes->time_ns, 190 * kMillisecond);  // what each of three shares takes, and two latencies
}

TEST(Routes, TakeOneWayWhereTheyMayNotBeSplit) {
  const Network network = network_with({10 * kMillisecond, 40 * kMegabyte, 0});
  RouteDemand wanted = demand(3, 0, 10 * kMegabyte, false);
  wanted.least_stripes = kStripes;
  const auto routes = relayed_routes(network, wanted, 1'000);
  if (routes) {
    for (const RouteTree& tree : routes->trees[0]) EXPECT_EQ(tree.stripes, kStripes);
  }
  wanted.least_stripes = 1;
  const auto split = relayed_routes(network, wanted, 1'000);
  ASSERT_TRUE(split);
  EXPECT_GT(split->trees[0].size(), 1u);
  EXPECT_LT(split->time_ns, 220 * kMillisecond);
}

TEST(Routes, NoTreeHasFewerStripesThanAreAllowed) {
  const Network network = network_with({10 * kMillisecond, 40 * kMegabyte, 0});
  RouteDemand wanted = demand(3, 0, 10 * kMegabyte, false);
  for (const int least : {1, 5, 11, 24}) {
    wanted.least_stripes = least;
    const auto routes = relayed_routes(network, wanted, 1'000);
    ASSERT_TRUE(routes) << least;
    for (const RouteTree& tree : routes->trees[0]) EXPECT_GE(tree.stripes, least);
  }
}

TEST(Routes, AreNotLookedForOverVeryManySites) {
  const SiteIndex sites = kMostSites + 1;
  std::vector<Link> links(static_cast<std::size_t>(sites) * static_cast<std::size_t>(sites), kGood);
  links[2].latency_ns = 1'000 * kMillisecond;
  const std::vector<std::optional<BytesPerSecond>> uncapped(static_cast<std::size_t>(sites));
  EXPECT_FALSE(relayed_routes(Network(sites, links, uncapped, uncapped), demand(sites, 0, 1'000, true), 1));
}

TEST(Routes, AreFoundAlsoBetweenManySites) {
  for (const SiteIndex sites : {82, 128, int{kMostSites}}) {
    std::vector<Link> links(static_cast<std::size_t>(sites) * static_cast<std::size_t>(sites), kGood);
    links[2].latency_ns = 1'000 * kMillisecond;
    const std::vector<std::optional<BytesPerSecond>> uncapped(static_cast<std::size_t>(sites));
    const Network network(sites, links, uncapped, uncapped);
    RouteDemand of_all = demand(sites, 0, 1'000, true);
    for (SiteIndex from = 1; from < sites; ++from)
      for (SiteIndex to = 0; to < sites; ++to)
        if (from != to) of_all.bytes.at(from, to) = 1'000;
    for (const RouteDemand& wanted : {demand(sites, 0, 1'000, true), of_all}) {
      const auto routes = relayed_routes(network, wanted, 1);
      ASSERT_TRUE(routes) << sites;
      EXPECT_LT(routes->time_ns, 100 * kMillisecond) << sites;
    }
  }
}

/// Two regions of `half` sites each: 2 ms and 100 MB/s inside, 80 ms and 10 MB/s between them.
Network two_regions(SiteIndex half) {
  std::vector<Link> links;
  for (SiteIndex from = 0; from < 2 * half; ++from)
    for (SiteIndex to = 0; to < 2 * half; ++to)
      links.push_back((from < half) == (to < half) ? Link{2 * kMillisecond, 100 * kMegabyte, 0}
                                                   : Link{80 * kMillisecond, 10 * kMegabyte, 0});
  const std::vector<std::optional<BytesPerSecond>> uncapped(2 * static_cast<std::size_t>(half));
  return {2 * half, std::move(links), uncapped, uncapped};
}

/// Stripes of what `source` sends that cross between the regions.
int stripes_between(const std::vector<RouteTree>& trees, SiteIndex half) {
  int crossing = 0;
  for (const RouteTree& tree : trees)
    for (SiteIndex to = 0; to < 2 * half; ++to) {
      const SiteIndex from = tree.parents[at(to)];
      if (from != kNoSite && (from < half) != (to < half)) crossing += tree.stripes;
    }
  return crossing;
}

TEST(Routes, CrossBetweenRegionsOnce) {
  constexpr SiteIndex kHalf = 3;
  const Network network = two_regions(kHalf);
  RouteDemand all{SiteMatrix<std::optional<Bytes>>(2 * kHalf), true};
  for (SiteIndex from = 0; from < 2 * kHalf; ++from)
    for (SiteIndex to = 0; to < 2 * kHalf; ++to)
      if (from != to) all.bytes.at(from, to) = 3 * kMegabyte;
  for (const RouteDemand& wanted : {all, demand(2 * kHalf, 0, 9 * kMegabyte, true)}) {
    const auto routes = relayed_routes(network, wanted, 10'000);
    ASSERT_TRUE(routes);
    // A region's 9 MB over 9 links take 100 ms; directly they would take 300 or 900 ms.
    EXPECT_LT(routes->time_ns, 210 * kMillisecond);
    EXPECT_LT(stripes_between(routes->trees[0], kHalf), kStripes * 11 / 10);
  }
}

TEST(Routes, LeaveARegionFromSitesThatNeedNothing) {
  const Network network = two_regions(4);
  RouteDemand wanted{SiteMatrix<std::optional<Bytes>>(8)};
  for (SiteIndex to = 4; to < 8; ++to) wanted.bytes.at(0, to) = 4 * kMegabyte;  // a scatter
  const auto there = relayed_routes(network, wanted, 10'000);
  ASSERT_TRUE(there);
  EXPECT_LT(there->time_ns, 210 * kMillisecond);  // 16 MB over 16 links, not over 4
  RouteDemand back{SiteMatrix<std::optional<Bytes>>(8)};
  for (SiteIndex from = 4; from < 8; ++from) back.bytes.at(from, 0) = 4 * kMegabyte;  // a gather
  const auto here = relayed_routes(network, back, 10'000);
  ASSERT_TRUE(here);
  EXPECT_LT(here->time_ns, 210 * kMillisecond);
}

TEST(Routes, AddUpWhatTakesTheSameLink) {
  const std::vector<SiteIndex> star_of_0{kNoSite, 0, 0}, chain_of_0{kNoSite, 0, 1}, star_of_1{1, kNoSite, 1};
  Routes routes;
  routes.trees = {{{kStripes, star_of_0}}, {{kStripes, star_of_1}}, {}};
  EXPECT_EQ(most_on_a_link(routes), 1);
  routes.trees[0] = {{kStripes - 1, star_of_0}, {1, chain_of_0}};
  EXPECT_EQ(most_on_a_link(routes), 2) << "from 1 to 2 all of 1's and a stripe of 0's";
  routes.trees = {{}, {}, {}};
  EXPECT_EQ(most_on_a_link(routes), 0);
}

TEST(Routes, NeedAThirdSite) {
  EXPECT_FALSE(relayed_routes(Network(2, kGood), demand(2, 0, kMegabyte, true), 1));
}

}  // namespace
}  // namespace wan
