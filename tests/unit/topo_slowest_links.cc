// SPDX-License-Identifier: BSD-3-Clause
// topo/slowest_links.h: the slowest link for any message is kept, also when a site is left out, and little
// else.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "topo/slowest_links.h"
#include "topo/topology.h"

namespace wan {
namespace {

SlowestLinks slowest_of(const std::vector<SiteLink>& links) {
  SlowestLinks slowest;
  for (const SiteLink& link : links) slowest.add(link);
  return slowest;
}

double time_over(const Link& link, double bytes) {
  return static_cast<double>(link.latency_ns) + bytes / static_cast<double>(link.bandwidth_bytes_per_s);
}

double slowest_time(std::span<const SiteLink> links, double bytes, SiteIndex left_out) {
  double longest = 0;
  for (const auto& [site, link] : links)
    if (site != left_out) longest = std::max(longest, time_over(link, bytes));
  return longest;
}

RC_GTEST_PROP(SlowestLinks, HoldTheSlowestForEveryLengthAndAnySiteLeftOut, ()) {
  const auto values = *rc::gen::inRange(2, 30);  // few values: many equal links
  const auto count = *rc::gen::inRange<SiteIndex>(3, 30);
  std::vector<SiteLink> links;
  for (SiteIndex site = 0; site < count; ++site)
    links.push_back({site, {*rc::gen::inRange(1, values), *rc::gen::inRange(1, values), 0}});
  const SlowestLinks slowest = slowest_of(links);
  for (SiteIndex left_out = -1; left_out < std::ssize(links); ++left_out)
    for (const double bytes : {0.0, 0.5, 2.0, 10.0, 100.0, 1e9})
      RC_ASSERT(slowest_time(slowest.all(), bytes, left_out) == slowest_time(links, bytes, left_out));
}

TEST(SlowestLinks, AreTwoOfEqualOnes) {
  std::vector<SiteLink> links;
  for (SiteIndex site = 0; site < 100; ++site) links.push_back({site, {10, 10, 0}});
  EXPECT_EQ(slowest_of(links).all().size(), 2);
}

TEST(SlowestLinks, AreFewOfRandomOnes) {
  std::mt19937 random(1);
  const auto value = [&] { return static_cast<std::int64_t>(1 + random() % 1'000'000); };
  std::vector<SiteLink> links;
  for (SiteIndex site = 0; site < 1000; ++site) links.push_back({site, {value(), value(), 0}});
  EXPECT_LT(static_cast<double>(slowest_of(links).all().size()), 4 * std::log(1000.0));
}

TEST(Network, KnowsTheSlowestLinksOfASiteInBothDirections) {
  std::vector<Link> links(9, Link{10, 10, 0});
  links[0 * 3 + 2] = {50, 10, 0};
  const Network network(3, links, std::vector<std::optional<BytesPerSecond>>(3),
                        std::vector<std::optional<BytesPerSecond>>(3));
  const auto latency = [](std::span<const SiteLink> slowest) {
    return std::ranges::max(slowest, {}, [](const SiteLink& each) { return each.link.latency_ns; });
  };
  EXPECT_EQ(latency(network.slowest_from(0)).site, 2);
  EXPECT_EQ(latency(network.slowest_from(0)).link.latency_ns, 50);
  EXPECT_EQ(latency(network.slowest_to(2)).site, 0);
  EXPECT_EQ(latency(network.slowest_from(2)).link.latency_ns, 10);
  EXPECT_EQ(latency(network.slowest_to(0)).link.latency_ns, 10);
}

}  // namespace
}  // namespace wan
