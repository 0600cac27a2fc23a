// SPDX-License-Identifier: BSD-3-Clause
// quickest_time: hand-computed flows over direct links, detours, relays and capped access links.
// Deterministic; no threads.
#include <gtest/gtest.h>

#include "cost/quickest_flow.h"
#include "cost_network.h"

namespace wan {
namespace {

TEST(QuickestFlow, NothingTakesTheLatency) {
  EXPECT_EQ(from_to(Mesh(2, 10_ms, 1_MBps).network(), 0, 1, 0), 10_ms);
}

TEST(QuickestFlow, AShortMessageTakesLatencyPlusItsTimeOnTheLink) {
  EXPECT_EQ(from_to(Mesh(2, 10_ms, 1_MBps).network(), 0, 1, 1), 10_ms + 1'000);
  EXPECT_EQ(from_to(Mesh(4, 10_ms, 12'500'000).network(), 3, 1, 8), 10_ms + 640);
}

TEST(QuickestFlow, ADetourThatIsFasterCounts) {
  Mesh mesh(3, 10_ms, 1_MBps);
  mesh.link(0, 2) = {100_ms, 1_MBps};
  mesh.link(1, 2) = {20_ms, 1_MBps};
  EXPECT_EQ(from_to(mesh.network(), 0, 2, 1), 30_ms + 1'000);
}

TEST(QuickestFlow, DirectionsDiffer) {
  Mesh mesh(2, 10_ms, 1_MBps);
  mesh.link(1, 0) = {70_ms, 2_MBps};
  EXPECT_EQ(from_to(mesh.network(), 0, 1, 2'000), 12_ms);
  EXPECT_EQ(from_to(mesh.network(), 1, 0, 2'000), 71_ms);
}

TEST(QuickestFlow, RelaysHelpOnceTheyPay) {
  const Network network = Mesh(3, 10_ms, 1_MBps).network();
  EXPECT_EQ(from_to(network, 0, 1, 10'000), 20_ms);  // direct; a relay's first byte would arrive just then
  EXPECT_EQ(from_to(network, 0, 1, 30'000), 30_ms);  // 20,000 bytes direct, 10,000 by the relay
}

TEST(QuickestFlow, ARelayPassesOnWhatItsDownlinkTakes) {
  Mesh mesh(3, 10_ms, 1_MBps);
  mesh.downlinks[2] = 500'000;
  EXPECT_EQ(from_to(mesh.network(), 0, 1, 30'000), 33'333'333);
}

TEST(QuickestFlow, ARelayPassesOnWhatItsUplinkTakes) {
  Mesh mesh(3, 10_ms, 1_MBps);
  mesh.uplinks[2] = 500'000;
  EXPECT_EQ(from_to(mesh.network(), 0, 1, 30'000), 33'333'333);
}

TEST(QuickestFlow, RelaysDoNotHelpBehindTheSourcesOwnUplink) {
  Mesh mesh(3, 10_ms, 1_MBps);
  mesh.uplinks[0] = 1_MBps;
  EXPECT_EQ(from_to(mesh.network(), 0, 1, 30'000), 40_ms);
}

TEST(QuickestFlow, AnEarlierPathIsTakenBackWhereTwoOthersCarryMore) {
  Mesh mesh(4, 1'000_ms, 1_MBps);  // s = 0, a = 1, b = 2, t = 3
  mesh.link(0, 1) = {10_ms, 1_MBps};
  mesh.link(0, 2) = {30_ms, 1_MBps};
  mesh.link(1, 2) = {10_ms, 1_MBps};
  mesh.link(1, 3) = {30_ms, 1_MBps};
  mesh.link(2, 3) = {10_ms, 1_MBps};
  EXPECT_EQ(from_to(mesh.network(), 0, 3, 100'000), 90_ms);  // s-a-t and s-b-t, 40 ms each, 50,000 bytes each
}

TEST(QuickestFlow, SeveralSourcesFillAllLinksOfTheSink) {
  const std::vector<SiteIndex> sources{1, 2, 3};
  const SiteIndex sink = 0;
  Mesh mesh(4, 10_ms, 1_MBps);
  EXPECT_EQ(quickest_time(mesh.network(), sources, {&sink, 1}, 30'000), 20_ms);
  mesh.downlinks[0] = 1'500'000;
  EXPECT_EQ(quickest_time(mesh.network(), sources, {&sink, 1}, 30'000), 30_ms);
}

TEST(QuickestFlow, SeveralSinksDrainAllLinksOfTheSource) {
  const std::vector<SiteIndex> sinks{1, 2, 3};
  const SiteIndex source = 0;
  Mesh mesh(4, 10_ms, 1_MBps);
  mesh.link(0, 3).latency_ns = 40_ms;
  EXPECT_EQ(quickest_time(mesh.network(), {&source, 1}, sinks, 40'000),
            30_ms);  // two links do before the third
  EXPECT_EQ(quickest_time(mesh.network(), {&source, 1}, sinks, 90'000), 50_ms);  // 40 + 40 + 10 thousand
}

TEST(QuickestFlow, LargeTransfersDoNotOverflow) {
  EXPECT_EQ(from_to(Mesh(2, 10_ms, 1_MBps).network(), 0, 1, 1'000'000'000'000), 10_ms + 1'000'000'000_ms);
}

}  // namespace
}  // namespace wan
