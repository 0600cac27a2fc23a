// SPDX-License-Identifier: BSD-3-Clause
// discover/subnet.h: which subnet stands for a host.
#include <gtest/gtest.h>

#include "discover/subnet.h"

namespace wan {
namespace {

constexpr const char* kHead =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";

TEST(Subnet, IsThatOfTheInterfaceOfTheDefaultRoute) {
  const std::vector<InterfaceAddress> addresses{
      {"docker0", "172.17.0.1", 16}, {"ib0", "192.168.7.9", 24}, {"eth0", "10.20.131.7", 17}};
  EXPECT_EQ(subnet_of(addresses, "eth0"), "10.20.128.0/17");
  EXPECT_EQ(subnet_of(addresses, "ib0"), "192.168.7.0/24");
  EXPECT_EQ(subnet_of(addresses, ""), "172.17.0.0/16");
  EXPECT_EQ(subnet_of({}, "eth0"), "");
}

TEST(Subnet, IsNoneOfLinkLocalAddresses) {
  EXPECT_EQ(subnet_of({{"eth0", "fe80::1", 64}, {"eth0", "169.254.1.2", 16}}, "eth0"), "");
  EXPECT_EQ(subnet_of({{"eth0", "fe80::1", 64}, {"eth0", "fd00:1:2:3:4::5", 56}}, "eth0"), "fd00:1:2::/56");
}

TEST(Subnet, OfAHostThatIsSaidToBeAloneIsWiderThanTheHost) {
  EXPECT_EQ(subnet_of({{"ens4", "10.132.0.17", 32}}, "ens4"), "10.132.0.0/24");
  EXPECT_EQ(subnet_of({{"ens4", "10.132.0.17", 31}}, "ens4"), "10.132.0.0/24");
  EXPECT_EQ(subnet_of({{"ens4", "fd00::1:2:3:4:5", 128}}, "ens4"), "fd00:0:0:1::/64");
}

TEST(Subnet, FindsTheDefaultRouteOfTheLeastMetric) {
  const std::string head = kHead;
  const std::string network = "eth2\t0000010A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n";
  const std::string slow = "wlan0\t00000000\tFEFF010A\t0003\t0\t0\t600\t00000000\t0\t0\t0\n";
  const std::string quick = "eth1\t00000000\tFEFF010A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n";
  const std::string half = "tun0\t00000000\tFEFF010A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n";
  EXPECT_EQ(interface_of_default_route(head + network + slow + quick + half), "eth1");
  EXPECT_EQ(interface_of_default_route(head + network), "");
  EXPECT_EQ(interface_of_default_route(""), "");
  EXPECT_EQ(interface_of_default_route("eth0\t00000000\n"), "");
}

TEST(Subnet, TheInterfaceBetweenHostsIsThatOfOpenMpi) {
  const std::vector<InterfaceAddress> own{{"eth0", "10.1.2.3", 24}, {"ib0", "192.168.7.1", 16}};
  const std::string routes =
      "Iface Destination Gateway Flags RefCnt Use Metric Mask\neth0 00000000 0102A8C0 0003 0 0 100 "
      "00000000\n";
  EXPECT_EQ(interface_between_hosts(own, "", routes), "eth0");
  EXPECT_EQ(interface_between_hosts(own, "ib0,eth0", routes), "ib0");
  EXPECT_EQ(interface_between_hosts(own, "172.16.0.0/12,192.168.0.0/16", routes), "ib0");
  EXPECT_EQ(interface_between_hosts(own, "172.16.0.0/12", routes), "");
  EXPECT_EQ(interface_between_hosts(own, "", ""), "");
}

TEST(Subnet, LiesInWiderOnes) {
  EXPECT_EQ(subnets_around("10.20.128.0/17"), (Path{"10.0.0.0/8", "10.20.0.0/16", "10.20.128.0/17"}));
  EXPECT_EQ(subnets_around("10.20.3.0/24"), (Path{"10.0.0.0/8", "10.20.0.0/16", "10.20.3.0/24"}));
  EXPECT_EQ(subnets_around("fd00:1:2:3::/64"),
            (Path{"fd00:1::/32", "fd00:1:2::/48", "fd00:1:2::/56", "fd00:1:2:3::/64"}));
  EXPECT_EQ(subnets_around("no address"), Path{"no address"});
}

TEST(Subnet, OfThisHostHasTheTextOfABlock) {
  const std::string own = own_subnet(own_addresses());
  if (!own.empty()) {
    EXPECT_NE(own.find('/'), std::string::npos);
  }
}

}  // namespace
}  // namespace wan
