// SPDX-License-Identifier: BSD-3-Clause
// The network between a layout's sites: topo/topology. Its links come from the file by the sites' names,
// whatever the order of the ranks.
#include <gtest/gtest.h>

#include "topo/site_file.h"
#include "topo/topology.h"

namespace wan {
namespace {

constexpr Link kDefault{.latency_ns = 20'000'000, .bandwidth_bytes_per_s = 125'000'000};
constexpr Link kParisToTokyo{.latency_ns = 112'000'000, .bandwidth_bytes_per_s = 50'000'000};

SiteFile file() {
  return SiteFile::parse(R"(
    [defaults]
    latency = "20 ms"
    bandwidth = "1 Gbit/s"
    [site.paris]
    hosts = ["par*"]
    uplink = "10 MB/s"
    downlink = "20 MB/s"
    [site.tokyo]
    hosts = ["tky*"]
    [[link]]
    from = "paris"
    to = "tokyo"
    latency = "112 ms"
    bandwidth = "50 MB/s"
    )",
                         "f")
      .value();
}

Layout layout(const std::vector<std::string>& sites) {
  std::vector<Path> paths;
  for (const auto& site : sites) paths.push_back({site});
  return Layout(paths);
}

TEST(Network, EqualLinksWithoutCaps) {
  const Network network(3, kDefault);
  EXPECT_EQ(network.sites(), 3);
  EXPECT_EQ(network.link(0, 2), kDefault);
  EXPECT_EQ(network.link(2, 1), kDefault);
  EXPECT_EQ(network.uplink(2), std::nullopt);
  EXPECT_EQ(network.downlink(0), std::nullopt);
}

TEST(Network, KnowsWhatTheFullestLinkHoldsInARoundTrip) {
  std::vector<Link> links(4, Link{10'000'000, 12'500'000, 0});
  EXPECT_EQ(Network(2, links, {{}, {}}, {{}, {}}).fullest_round_trip(), 250'000);
  links[2] = {150'000'000, 12'500'000'000, 0};  // 100 Gbit/s
  EXPECT_EQ(Network(2, links, {{}, {}}, {{}, {}}).fullest_round_trip(), 3'750'000'000);
  EXPECT_EQ(Network(1, links[0]).fullest_round_trip(), 0);
}

TEST(Network, KnowsItsShortestLatency) {
  std::vector<Link> links(9, Link{10'000'000, 12'500'000, 0});
  EXPECT_EQ(Network(3, links, {{}, {}, {}}, {{}, {}, {}}).shortest_latency_ns(), 10'000'000);
  links[5].latency_ns = 4;
  links[4].latency_ns = 1;  // from a site to itself
  EXPECT_EQ(Network(3, links, {{}, {}, {}}, {{}, {}, {}}).shortest_latency_ns(), 4);
  EXPECT_EQ(Network(1, links[0]).shortest_latency_ns(), 0);
}

TEST(Network, IsTakenFromTheFileByName) {
  const Network network = network_of(layout({"tokyo", "paris"}), file());
  ASSERT_EQ(network.sites(), 2);
  EXPECT_EQ(network.link(1, 0), kParisToTokyo);
  EXPECT_EQ(network.link(0, 1), kDefault);
  EXPECT_EQ(network.uplink(1), 10'000'000);
  EXPECT_EQ(network.downlink(1), 20'000'000);
  EXPECT_EQ(network.uplink(0), std::nullopt);
}

TEST(Network, UnknownSitesGetTheDefaultLinkAndNoCaps) {
  const Network network = network_of(layout({"lima", "paris", "oslo", "tokyo"}), file());
  EXPECT_EQ(network.link(0, 1), kDefault);
  EXPECT_EQ(network.link(1, 0), kDefault);
  EXPECT_EQ(network.link(0, 2), kDefault);
  EXPECT_EQ(network.link(1, 3), kParisToTokyo);
  EXPECT_EQ(network.uplink(0), std::nullopt);
  EXPECT_EQ(network.downlink(2), std::nullopt);
}

TEST(NetworkDeathTest, RefusesWhatCannotBe) {
  const std::vector<std::optional<BytesPerSecond>> one(1), two(2);
  EXPECT_DEATH(Network(0, kDefault), "at least one site");
  EXPECT_DEATH(Network(2, Link{}), "bandwidth is not above zero");
  EXPECT_DEATH(Network(2, Link{-1, 1}), "latency is negative");
  EXPECT_DEATH(Network(2, std::vector<Link>(3, kDefault), two, two), "one link for each pair");
  EXPECT_DEATH(Network(2, std::vector<Link>(4, kDefault), two, one), "one cap for each site");
}

TEST(Network, OneSiteNeedsNoLink) {
  EXPECT_EQ(Network(1, Link{}).sites(), 1);
}

}  // namespace
}  // namespace wan
