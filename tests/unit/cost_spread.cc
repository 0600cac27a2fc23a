// SPDX-License-Identifier: BSD-3-Clause
// cost/spread.h: equal links give equal shares and the times of the blueprint's section 6; unequal links give
// the shares that they can carry; what cannot be improved goes directly.
#include <gtest/gtest.h>

#include <numeric>

#include "base/time.h"
#include "cost/direct.h"
#include "cost/spread.h"
#include "tests/unit/cost_network.h"

namespace wan {
namespace {

constexpr Link kLink{10 * kMillisecond, 12'500'000, 0};
using Caps = std::vector<std::optional<BytesPerSecond>>;

Bytes sum(const Spread& spread) {
  return std::accumulate(spread.shares.begin(), spread.shares.end(), Bytes{0});
}

/// Within half a per cent.
void expect_near(Nanoseconds found, Nanoseconds expected) {
  EXPECT_GE(found, expected - expected / 200);
  EXPECT_LE(found, expected + expected / 200);
}

TEST(Direct, TakesTheSlowestLink) {
  const Network network(3, kLink);
  EXPECT_EQ(direct_from_one_ns(network, 0, kMegabyte), 90 * kMillisecond);
  EXPECT_EQ(direct_to_one_ns(network, 0, kMegabyte), 90 * kMillisecond);
  EXPECT_EQ(direct_among_all_ns(network, kMegabyte), 90 * kMillisecond);
}

TEST(Direct, SharesTheAccessLink) {
  const Network network(3, {9, kLink}, Caps{12'500'000, {}, {}}, Caps{{}, {}, {}});
  EXPECT_EQ(direct_from_one_ns(network, 0, kMegabyte), 170 * kMillisecond);
  EXPECT_EQ(direct_to_one_ns(network, 0, kMegabyte), 90 * kMillisecond);
}

TEST(Spread, FromOneOverEqualLinksTakesTwoLatenciesAndAPartOfTheVector) {
  const Network network(4, kLink);
  for (const auto& spread :
       {spread_from_one(network, 1, 3 * kMegabyte, 0), spread_to_one(network, 1, 3 * kMegabyte, 0)}) {
    ASSERT_TRUE(spread);
    EXPECT_EQ(sum(*spread), 3 * kMegabyte);
    // The time of a relayed share is 2 L + x / B; the direct one arrives L earlier, so it takes up the
    // difference.
    const Bytes direct = spread->shares[1];
    EXPECT_GT(direct, 0);
    EXPECT_LT(direct, spread->shares[0]);
    EXPECT_LT(spread->time_ns, (20 + 80) * kMillisecond);
    EXPECT_GT(spread->time_ns, (10 + 80) * kMillisecond);
  }
}

TEST(Spread, AmongAllOverEqualLinksGivesEachSiteAnEqualShare) {
  const Network network(4, kLink);
  const auto spread = spread_among_all(network, 4 * kMegabyte, 0);
  ASSERT_TRUE(spread);
  EXPECT_EQ(sum(*spread), 4 * kMegabyte);
  for (const Bytes share : spread->shares) EXPECT_NEAR(static_cast<double>(share), 1e6, 1e4);
  expect_near(spread->time_ns, (10 + 2 * 80) * kMillisecond);  // blueprint, section 6: L + 2 m / (C B)
}

TEST(Spread, APieceMustHaveArrivedBeforeItGoesOn) {
  const Network network(4, kLink);
  const auto smooth = spread_from_one(network, 0, kMegabyte, 0),
             lumpy = spread_from_one(network, 0, kMegabyte, 125'000);
  ASSERT_TRUE(smooth && lumpy);
  EXPECT_GT(lumpy->time_ns, smooth->time_ns + 2 * kMillisecond);
}

TEST(Spread, ShortVectorsAndTwoSitesGoDirectly) {
  EXPECT_FALSE(spread_from_one(Network(4, kLink), 0, 1'000, 0));
  EXPECT_FALSE(spread_to_one(Network(4, kLink), 0, 125'000, 0));
  EXPECT_FALSE(spread_among_all(Network(4, kLink), 1'000, 0));
  EXPECT_FALSE(spread_from_one(Network(2, kLink), 0, 100 * kMegabyte, 0));
  EXPECT_FALSE(spread_among_all(Network(2, kLink), 100 * kMegabyte, 0));
  EXPECT_FALSE(spread_among_all(Network(1, kLink), 100 * kMegabyte, 0));
}

/// The links from site 2 (to it, the other way round) have a tenth of the rate.
Network with_a_slow_site(bool is_sender) {
  std::vector<Link> links(16, kLink);
  for (SiteIndex i = 0; i < 4; ++i)
    links[static_cast<std::size_t>(is_sender ? 2 * 4 + i : i * 4 + 2)].bandwidth_bytes_per_s = 1'250'000;
  return {4, links, Caps(4), Caps(4)};
}

TEST(Spread, ARelayWithSlowLinksTakesLess) {
  for (const auto& spread : {spread_from_one(with_a_slow_site(true), 0, 3 * kMegabyte, 0),
                             spread_to_one(with_a_slow_site(false), 0, 3 * kMegabyte, 0)}) {
    ASSERT_TRUE(spread);
    EXPECT_EQ(sum(*spread), 3 * kMegabyte);
    EXPECT_LT(spread->shares[2], spread->shares[1] / 5);
  }
}

TEST(Spread, ASlowDirectLinkIsAvoided) {
  std::vector<Link> links(9, kLink);
  links[0 * 3 + 2] = {10 * kMillisecond, 1'000'000, 0};
  const Network network(3, links, Caps(3), Caps(3));
  const auto spread = spread_from_one(network, 0, kMegabyte, 0);
  ASSERT_TRUE(spread);
  EXPECT_LT(spread->time_ns, direct_from_one_ns(network, 0, kMegabyte) / 5);
  EXPECT_GT(spread->shares[1], 9 * kMegabyte / 10);
}

TEST(Spread, AnAccessLinkOfTheRootIsNotLoadedTwice) {
  const Network network(4, std::vector<Link>(16, kLink), Caps{12'500'000, {}, {}, {}}, Caps(4));
  const auto spread = spread_from_one(network, 0, 3 * kMegabyte, 0);
  ASSERT_TRUE(spread);
  EXPECT_LT(spread->shares[0], kMegabyte / 100);
  expect_near(spread->time_ns, (10 + 240) * kMillisecond);
}

TEST(Spread, IsTheSameEveryTime) {
  const auto one = spread_from_one(with_a_slow_site(true), 1, kMegabyte, 32'768),
             other = spread_from_one(with_a_slow_site(true), 1, kMegabyte, 32'768);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->shares, other->shares);
}

}  // namespace
}  // namespace wan
