// SPDX-License-Identifier: BSD-3-Clause
// process/message_layer.h: what the environment says of UCX and libfabric.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "process/message_layer.h"

namespace wan {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();

Environment with(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(MessageLayer, HasTheNameOfItsComponent) {
  EXPECT_EQ(layer_named("ob1"), MessageLayer::ob1);
  EXPECT_EQ(layer_named("ucx"), MessageLayer::ucx);
  EXPECT_EQ(layer_named("cm"), MessageLayer::cm);
  EXPECT_EQ(layer_named("monitoring"), MessageLayer::other);
  EXPECT_EQ(layer_named(""), MessageLayer::other);
}

TEST(MemoryUnits, AreThoseOfUcx) {
  EXPECT_EQ(parse_memory_units("0"), 0);
  EXPECT_EQ(parse_memory_units("8191"), 8'191);
  EXPECT_EQ(parse_memory_units("8191b"), 8'191);
  EXPECT_EQ(parse_memory_units("8K"), 8'192);
  EXPECT_EQ(parse_memory_units("64kb"), 65'536);
  EXPECT_EQ(parse_memory_units("3MB"), 3 << 20);
  EXPECT_EQ(parse_memory_units("1g"), 1 << 30);
  EXPECT_EQ(parse_memory_units("2g"), kMost);
  EXPECT_EQ(parse_memory_units("99999999999"), kMost);
  EXPECT_EQ(parse_memory_units("9223372036854775807g"), kMost);
  EXPECT_EQ(parse_memory_units("inf"), kMost);
  for (const char* wrong : {"", "auto", "k", "-1", "8q", "8kk", "8bb", "8 k", "1.5k", "99999999999999999999"})
    EXPECT_EQ(parse_memory_units(wrong), std::nullopt) << wrong;
}

TEST(EagerLimitOfUcx, IsTheThresholdOrABuffer) {
  EXPECT_EQ(eager_limit_of_ucx(with({})), 8'191);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "auto"}})), 8'191);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_TCP_TX_SEG_SIZE", "4K"}})), 4'095);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "64K"}, {"UCX_TCP_TX_SEG_SIZE", "4K"}})), 65'535);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "inf"}})), kMost - 1);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "0"}})), 1);
}

TEST(EagerLimitOfUcx, IsThatOfOtherHosts) {
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "intra:1k,inter:32k"}})), 32'767);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "inter:32k,intra:1k"}})), 32'767);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "intra:1k"}})), 8'191);
  EXPECT_EQ(eager_limit_of_ucx(with({{"UCX_RNDV_THRESH", "intra:1k,inter:auto"}})), 8'191);
}

TEST(EagerLimitOfLibfabric, IsTheLeastOfItsProviders) {
  EXPECT_EQ(eager_limit_of_libfabric(with({})), 16'384);
  EXPECT_EQ(eager_limit_of_libfabric(with({{"FI_OFI_RXM_BUFFER_SIZE", "65536"}})), 65'536);
  EXPECT_EQ(eager_limit_of_libfabric(with({{"FI_OFI_RXM_EAGER_LIMIT", "40000"}})), 40'000);
  EXPECT_EQ(eager_limit_of_libfabric(with({{"FI_OFI_RXM_EAGER_LIMIT", "1000"}})), 16'384);
  EXPECT_EQ(eager_limit_of_libfabric(with({{"FI_TCP_MAX_SAVED_SIZE", "2000"}})), 2'000);
  EXPECT_EQ(eager_limit_of_libfabric(with({{"FI_OFI_RXM_BUFFER_SIZE", "0"}})), 1);
}

TEST(MostUnderWayOfLibfabric, IsHalfOfItsPlaces) {
  EXPECT_EQ(most_under_way_of_libfabric(with({})), 1'024);
  EXPECT_EQ(most_under_way_of_libfabric(with({{"FI_OFI_RXM_RX_SIZE", "512"}})), 256);
  EXPECT_EQ(
      most_under_way_of_libfabric(with({{"FI_OFI_RXM_TX_SIZE", "100"}, {"FI_OFI_RXM_RX_SIZE", "8192"}})), 50);
  EXPECT_EQ(most_under_way_of_libfabric(with({{"FI_OFI_RXM_RX_SIZE", "0"}})), 1);
}

TEST(BufferOfUcx, IsWhatIsRequested) {
  EXPECT_EQ(buffer_of_ucx(with({}), "UCX_TCP_SNDBUF"), 0);
  EXPECT_EQ(buffer_of_ucx(with({{"UCX_TCP_SNDBUF", "auto"}}), "UCX_TCP_SNDBUF"), 0);
  EXPECT_EQ(buffer_of_ucx(with({{"UCX_TCP_SNDBUF", "1m"}}), "UCX_TCP_SNDBUF"), 1 << 20);
}

TEST(Interfaces, AreThoseThatTheEnvironmentNames) {
  EXPECT_EQ(interfaces_of(MessageLayer::ucx, with({})), "");
  EXPECT_EQ(interfaces_of(MessageLayer::ucx, with({{"UCX_NET_DEVICES", "all"}})), "");
  EXPECT_EQ(interfaces_of(MessageLayer::ucx, with({{"UCX_NET_DEVICES", "^eth1"}})), "");
  EXPECT_EQ(interfaces_of(MessageLayer::ucx, with({{"UCX_NET_DEVICES", "mlx5_0:1,eth0"}})), "mlx5_0,eth0");
  EXPECT_EQ(interfaces_of(MessageLayer::cm, with({{"FI_TCP_IFACE", "eth1"}})), "eth1");
  EXPECT_EQ(interfaces_of(MessageLayer::cm, with({{"UCX_NET_DEVICES", "eth0"}})), "");
  EXPECT_EQ(interfaces_of(MessageLayer::ob1, with({{"FI_TCP_IFACE", "eth1"}})), "");
}

}  // namespace
}  // namespace wan
