// SPDX-License-Identifier: BSD-3-Clause
// topo/machine.h, cost/machine.h and cost/model.h: the time of one message, computed by hand. No threads.
#include <gtest/gtest.h>

#include "cost/model.h"
#include "cost_network.h"

namespace wan {
namespace {

/// Round numbers: overheads of 10 and 20 us, a microsecond for 1,000 bytes on the wide-area link.
Machine round_machine() {
  Machine machine;
  machine.shared_memory = {{100, 200}, 1'000, 2'000, 1'000};
  machine.tcp = {{10'000, 20'000}, 100, 200, 10'000};
  machine.host_link = {50, 100'000'000'000, 0};
  machine.site_link = {1'000, 1'000'000'000, 0};
  machine.framing = Framing::none();
  return machine;
}

/// Ranks 0 and 1 share a host, 2 is on another one of the site, 3 in another site.
Topology three_distances() {
  return {Layout(std::vector<Path>{{"a", "1"}, {"a", "1"}, {"a", "2"}, {"b", "3"}}),
          Mesh(2, 10_ms, 1'000_MBps).network()};
}

TEST(Framing, CountsHeadersOfPacketsAndMessages) {
  EXPECT_EQ(Framing::none().wire_bytes(5'000, 0), 5'000);
  EXPECT_EQ(Framing::ethernet().wire_bytes(0, 0), 52);
  EXPECT_EQ(Framing::ethernet().wire_bytes(1'426, 22), 1'500);
  EXPECT_EQ(Framing::ethernet().wire_bytes(1'427, 22), 1'449 + 104);
}

TEST(Model, KnowsThreeDistances) {
  const Topology topology = three_distances();
  const Model model(topology, round_machine());
  EXPECT_EQ(model.proximity(0, 1), Proximity::same_host);
  EXPECT_EQ(model.proximity(0, 2), Proximity::same_site);
  EXPECT_EQ(model.proximity(2, 3), Proximity::remote);
}

TEST(Model, TakesProcessesForHostsWhereNoHostsAreKnown) {
  const Topology topology{layout("aab"), Mesh(2, 10_ms, 1'000_MBps).network()};
  EXPECT_EQ(Model(topology, round_machine()).proximity(0, 1), Proximity::same_site);
}

TEST(Model, OneEagerMessage) {
  const Topology topology = three_distances();
  const Model model(topology, round_machine());
  EXPECT_EQ(model.message_ns(0, 1, 1'000), 100 + 1'000 + 50 + 200 + 2'000)
      << "the processor is slower than the link";
  EXPECT_EQ(model.message_ns(0, 2, 1'000), 10'000 + 1'000 + 1'000 + 20'000 + 200);
  EXPECT_EQ(model.message_ns(0, 3, 1'000), 10'000 + 1'000 + 10_ms + 20'000 + 200);
  EXPECT_EQ(model.message_ns(0, 3, 0), 10'000 + 10_ms + 20'000);
}

TEST(Model, AboveTheEagerLimitTheRestWaitsForTheAnswer) {
  const Topology topology = three_distances();
  const Model model(topology, round_machine());
  const Nanoseconds request = 10'000 + 10'000 + 10_ms, answer = 20'000 + 2'000 + 10'000 + 10_ms;
  const Nanoseconds rest = 20'000 + 10'000 + 5'000 + 10_ms + 20'000 + 1'000;
  EXPECT_EQ(model.message_ns(0, 3, 15'000), request + answer + rest);
}

TEST(Model, OverStreamsNothingWaitsForAnAnswer) {
  const Topology topology = three_distances();
  Machine machine = round_machine();
  machine.asks_other_sites = false;
  const Model model(topology, machine), asking(topology, round_machine());
  EXPECT_EQ(model.message_ns(0, 3, 100'000), 10'000 + 100'000 + 10_ms + 20'000 + 20'000);
  EXPECT_EQ(model.message_ns(0, 2, 100'000), asking.message_ns(0, 2, 100'000))
      << "inside a site there are none";
}

TEST(Model, TheNarrowestOfLinkAndAccessLinksCounts) {
  Mesh mesh(2, 10_ms, 1'000_MBps);
  mesh.uplinks[0] = 100'000'000;
  mesh.downlinks[0] = 10'000'000;
  const Topology topology{three_distances().layout, mesh.network()};
  const Model model(topology, round_machine());
  EXPECT_EQ(model.message_ns(0, 3, 1'000), 10'000 + 10'000 + 10_ms + 20'000 + 200);
  EXPECT_EQ(model.message_ns(3, 0, 1'000), 10'000 + 100'000 + 10_ms + 20'000 + 200);
}

TEST(Model, HeadersTakeTheirTimeOnTheWire) {
  const Topology topology = three_distances();
  Machine machine = round_machine();
  machine.framing = Framing::ethernet();
  EXPECT_EQ(Model(topology, machine).message_ns(0, 3, 1'000),
            10'000 + 1'000 + 22 + 52 + 10_ms + 20'000 + 200);
}

TEST(Model, HostsMayHaveOverheadsOfTheirOwn) {
  const auto file = SiteFile::parse(R"([defaults]
latency = "10 ms"
bandwidth = "1 GB/s"
[site.a]
hosts = ["1", "2"]
[site.b]
hosts = ["3"]
[[node]]
hosts = ["3"]
send_overhead = "1 us"
receive_overhead = "2 us"
[[node]]
hosts = ["2"]
send_overhead = "3 us"
)",
                                    "test.toml");
  ASSERT_TRUE(file) << file.error().message();
  const std::vector<Path> paths{{"a", "1"}, {"a", "1"}, {"a", "2"}, {"b", "3"}, {"b"}};
  const auto overheads = overheads_of(paths, *file, round_machine());
  EXPECT_EQ(overheads,
            (std::vector<Overheads>{
                {10'000, 20'000}, {10'000, 20'000}, {3'000, 20'000}, {1'000, 2'000}, {10'000, 20'000}}));
  Topology topology = three_distances();
  topology.overheads = {overheads.begin(), overheads.begin() + 4};
  const Model model(topology, round_machine());
  EXPECT_EQ(model.message_ns(0, 3, 0), 10'000 + 10_ms + 2'000);
  EXPECT_EQ(model.message_ns(3, 0, 0), 1'000 + 10_ms + 20'000);
  EXPECT_EQ(model.message_ns(0, 1, 0), 100 + 50 + 200) << "shared memory keeps its own";
}

}  // namespace
}  // namespace wan
