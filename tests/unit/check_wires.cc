// SPDX-License-Identifier: BSD-3-Clause
// check/wires.h: who is carried when, computed by hand. No threads.
#include <gtest/gtest.h>

#include "check/wires.h"
#include "cost_network.h"

namespace wan {
namespace {

/// Sites a (two ranks on one host), b and c; links of 10 ms where a byte takes a microsecond.
class WiresTest : public testing::Test {
 protected:
  Wires& wires() {
    if (!wires_) {
      topology_.emplace(
          Topology{Layout(std::vector<Path>{{"a", "1"}, {"a", "1"}, {"a", "2"}, {"b", "1"}, {"c", "1"}}),
                   mesh_.network()});
      model_.emplace(*topology_, machine_);
      wires_.emplace(*model_);
    }
    return *wires_;
  }
  Mesh mesh_{3, 10_ms, 1_MBps};
  Machine machine_;
  std::optional<Topology> topology_;
  std::optional<Model> model_;
  std::optional<Wires> wires_;
};

TEST_F(WiresTest, OneLinkForEachDirectedPairOfSites) {
  EXPECT_EQ(wires().way(0, 3).hops[0].link, wires().way(2, 3).hops[0].link);
  EXPECT_NE(wires().way(0, 3).hops[0].link, wires().way(3, 0).hops[0].link);
  EXPECT_NE(wires().way(0, 3).hops[0].link, wires().way(0, 4).hops[0].link);
  EXPECT_EQ(wires().way(0, 3).hops[0].latency_ns, 10_ms);
}

TEST_F(WiresTest, InsideASiteOneForEachPairOfHostsAndOfProcesses) {
  EXPECT_EQ(wires().way(0, 2).hops[0].link, wires().way(1, 2).hops[0].link);
  EXPECT_NE(wires().way(0, 2).hops[0].link, wires().way(2, 0).hops[0].link);
  EXPECT_NE(wires().way(0, 1).hops[0].link, wires().way(1, 0).hops[0].link);
  EXPECT_NE(wires().way(0, 1).hops[0].link, wires().way(0, 2).hops[0].link);
}

TEST_F(WiresTest, CappedAccessLinksLieOnTheWay) {
  mesh_.uplinks[0] = 2'000'000;
  mesh_.downlinks[1] = 2'000'000;
  EXPECT_EQ(wires().way(0, 3).size, 3);
  EXPECT_EQ(wires().way(0, 4).size, 2);
  EXPECT_EQ(wires().way(3, 0).size, 1);
}

TEST_F(WiresTest, AConnectionWithoutAWindowLetsAllGo) {
  EXPECT_EQ(wires().admit(0, 3, {1_ms, 2_ms}, 1'000'000'000), (Passage{1_ms, 2_ms}));
}

TEST_F(WiresTest, AConnectionLetsAWindowGoInARoundTrip) {
  machine_.flow_window = 1'000;
  EXPECT_EQ(wires().admit(0, 3, {0, 0}, 600), (Passage{0, 0}));
  EXPECT_EQ(wires().admit(0, 3, {0, 0}, 600), (Passage{0, 4_ms}))
      << "200 bytes are too many, a fifth of a round trip";
  EXPECT_EQ(wires().admit(0, 3, {0, 1_ms}, 500), (Passage{4_ms, 14_ms}));
  EXPECT_EQ(wires().admit(0, 3, {50_ms, 50_ms}, 1'000), (Passage{50_ms, 50_ms}))
      << "all has been acknowledged";
}

TEST_F(WiresTest, EachPairOfProcessesHasAWindowEachWay) {
  machine_.flow_window = 1'000;
  wires().admit(0, 3, {0, 0}, 1'000);
  for (const auto& [from, to] : std::vector<std::pair<Rank, Rank>>{{1, 3}, {0, 4}, {3, 0}})
    EXPECT_EQ(wires().admit(from, to, {0, 0}, 1'000), (Passage{0, 0}));
}

TEST_F(WiresTest, InsideASiteThereIsNoWindow) {
  machine_.flow_window = 1;
  EXPECT_EQ(wires().admit(0, 2, {0, 0}, 1'000), (Passage{0, 0}));
}

TEST_F(WiresTest, OneMessageAfterAnother) {
  const auto link = wires().way(0, 3).hops[0].link;
  EXPECT_EQ(wires().carry(link, {0, 0}, 900, 1'000), (Passage{0, 1_ms}));
  EXPECT_EQ(wires().carry(link, {0, 0}, 900, 1'000), (Passage{1_ms, 2_ms}));
  EXPECT_EQ(wires().carry(link, {5_ms, 5_ms}, 0, 100), (Passage{5_ms, 5'100'000}));
  wires().count_transmission(link);
  EXPECT_EQ(wires().between_sites().at(0, 1), (LinkUse{1, 1'800, 2'100, 2'100'000}));
  EXPECT_EQ(wires().between_sites().at(1, 0), LinkUse{});
}

TEST_F(WiresTest, SlowerBitsAreOfferedLate) {
  const auto link = wires().way(0, 3).hops[0].link;
  EXPECT_TRUE(wires().is_slow(link, {0, 10_ms}, 4'000));
  EXPECT_FALSE(wires().is_slow(link, {0, 4_ms}, 4'000));
  EXPECT_EQ(wires().due(link, {0, 10_ms}, 4'000), 6_ms);
  EXPECT_EQ(wires().due(link, {0, 1_ms}, 4'000), 0);
  EXPECT_EQ(wires().carry(link, {0, 3_ms}, 0, 2'000), (Passage{0, 3_ms}));
  EXPECT_EQ(wires().carry(link, {0, 10_ms}, 0, 4'000), (Passage{3_ms, 10_ms}));
  EXPECT_EQ(wires().carry(link, {0, 10_ms}, 0, 4'000), (Passage{10_ms, 14_ms}));
}

}  // namespace
}  // namespace wan
