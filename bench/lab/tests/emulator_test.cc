// SPDX-License-Identifier: BSD-3-Clause
// The pure parts of the lab: link arithmetic with a clock of our own, packets, counters, plans, reports.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <set>

#include "base/time.h"
#include "bench/lab/counter_file.h"
#include "bench/lab/fabric.h"
#include "bench/lab/frame.h"
#include "bench/lab/link_command.h"
#include "bench/lab/packet.h"
#include "bench/lab/plan.h"
#include "bench/lab/processors.h"
#include "bench/lab/report.h"
#include "bench/lab/sites.h"

namespace wan::lab {
namespace {

/// `sites` sites, every link with this latency and rate.
FabricConfig uniform(SiteIndex sites, Nanoseconds latency, BytesPerSecond rate) {
  FabricConfig config;
  config.sites = sites;
  config.links.assign(static_cast<std::size_t>(sites * sites), Link{latency, rate, 0});
  config.uplinks.resize(static_cast<std::size_t>(sites));
  config.downlinks.resize(static_cast<std::size_t>(sites));
  return config;
}

Parcel parcel(SiteIndex from, SiteIndex to, Bytes size) {
  return {from, to, size};
}
constexpr Drops kNone{}, kOneLost{.lost = 1};

/// Everything that still arrives, as (due, from, to), with time running from event to event.
struct Arrived {
  Nanoseconds due;
  SiteIndex from, to;
  bool operator==(const Arrived&) const = default;
};
std::vector<Arrived> drain(Fabric& fabric) {
  std::vector<Arrived> all;
  while (const auto next = fabric.next_event())
    while (const auto arrival = fabric.take(*next))
      if (arrival->fate == Fate::kDelivered)
        all.push_back({arrival->due, arrival->parcel.from, arrival->parcel.to});
  return all;
}

TEST(Frame, HardwareAddressesFollowFromAddresses) {
  EXPECT_EQ(HardwareAddress::of(ipv4_address("10.1.255.254")).text(), "02:00:0a:01:ff:fe");
  EXPECT_EQ(router_of(0), ipv4_address("10.1.255.254"));
  EXPECT_EQ(router_of(199), ipv4_address("10.200.255.254"));
  EXPECT_THROW(ipv4_address("10.1.2"), LabError);
}

TEST(Frame, IsAddressedWithoutTouchingItsPacket) {
  std::vector<std::byte> frame(kFrameHeader + 3, std::byte{7});
  address_frame(frame, HardwareAddress{{1, 2, 3, 4, 5, 6}}, HardwareAddress{{11, 12, 13, 14, 15, 16}});
  std::vector<int> bytes;
  for (const std::byte byte : frame) bytes.push_back(std::to_integer<int>(byte));
  EXPECT_EQ(bytes, (std::vector{1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16, 7, 7, 7, 7, 7}));
  EXPECT_EQ(packet_in(frame).data(), frame.data() + kFrameHeader);
  EXPECT_EQ(packet_in(frame).size(), 3u);
}

TEST(Frame, ThatIsTooShortHoldsNoPacket) {
  const std::vector<std::byte> frame(kFrameHeader - 1);
  EXPECT_TRUE(packet_in(frame).empty());
}

/// Sites of hosts with so many slots each.
std::vector<SitePlan> sites_of(const std::vector<std::vector<int>>& slots) {
  std::vector<SitePlan> sites(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s)
    for (const int number : slots[s]) sites[s].hosts.push_back({"", "", number});
  return sites;
}

using Shares = std::vector<std::vector<Processors>>;

TEST(Processors, AreSharedEvenlyWithFirstHostsApart) {
  const auto shares = share_processors(sites_of({{2, 2}, {2, 2}, {2, 2}, {2, 2}}), {0, 1});
  EXPECT_EQ(shares, (Shares{{{0}, {1}}, {{1}, {0}}, {{0}, {1}}, {{1}, {0}}}));
}

TEST(Processors, ServeAsManySlotsWhateverTheHosts) {
  const auto shares = share_processors(sites_of({{4, 3}, {3, 2}, {2, 1}, {1, 1}, {1}}), {4, 7});
  EXPECT_EQ(shares, (Shares{{{4}, {7}}, {{7}, {4}}, {{4}, {7}}, {{7}, {4}}, {{7}}}));
}

TEST(Processors, AreNotSharedWhereThereAreEnough) {
  EXPECT_EQ(share_processors(sites_of({{1, 1}, {9}}), {0, 1, 2, 3, 4, 5, 6}),
            (Shares{{{0, 1}, {2, 3}}, {{4, 5, 6}}}));
  EXPECT_EQ(share_processors(sites_of({{1}, {1}}), {3, 5}), (Shares{{{3}}, {{5}}}));
}

TEST(Processors, AreKeptAsText) {
  for (const Processors& processors : {Processors{3}, Processors{0, 1, 17}})
    EXPECT_EQ(processors_in(to_text(processors)), processors);
}

TEST(Processors, TakeTurns) {
  const Processors before = allowed_processors();
  if (before.size() < 2) GTEST_SKIP() << "one processor";
  ProcessorTurns turns;
  turns.take(0);
  const Processors first = allowed_processors();
  EXPECT_EQ(first.size(), 1U);
  turns.take(kMillisecond);
  EXPECT_EQ(allowed_processors(), first);
  std::set<int> served(first.begin(), first.end());
  for (std::size_t turn = 1; turn < before.size(); ++turn) {
    turns.take(static_cast<Nanoseconds>(turn) * kSecond);
    served.insert(allowed_processors().front());
  }
  EXPECT_EQ(served.size(), before.size());
  run_on(before);
}

TEST(Server, CarriesOnePacketAfterAnother) {
  Server server(1'000'000, 1 << 20);
  const auto first = server.carry({0, 0}, 1000), second = server.carry({0, 0}, 500);
  EXPECT_EQ(first->last_bit, kMillisecond);
  EXPECT_EQ(second->first_bit, kMillisecond);
  EXPECT_EQ(second->last_bit, kMillisecond * 3 / 2);
}

TEST(Server, IsFreeAgainAfterAPause) {
  Server server(1'000'000, 1 << 20);
  server.carry({0, 0}, 1000);
  EXPECT_EQ(server.carry({5 * kMillisecond, 5 * kMillisecond}, 1000)->last_bit, 6 * kMillisecond);
}

TEST(Server, CannotOvertakeWhatFeedsIt) {
  Server server(1'000'000'000, 1 << 20);
  EXPECT_EQ(server.carry({0, 7 * kMillisecond}, 1000)->last_bit, 7 * kMillisecond);
}

TEST(Server, DropsAtTheTailOfItsQueue) {
  Server server(1'000'000, 2500);
  EXPECT_TRUE(server.carry({0, 0}, 1000));
  EXPECT_TRUE(server.carry({0, 0}, 1000));
  EXPECT_FALSE(server.carry({0, 0}, 1000));
  EXPECT_TRUE(server.carry({kMillisecond, kMillisecond}, 1000)) << "after a millisecond one packet has left";
}

TEST(QueueLimit, IsTwiceTheBandwidthDelayProductButNotSmall) {
  EXPECT_EQ(default_queue_limit(1'000'000, 10 * kMillisecond), 4 << 20);
  EXPECT_EQ(default_queue_limit(1'000'000'000, 50 * kMillisecond), 200'000'000);
}

TEST(QueueLimit, IsAPartOfTheBandwidthDelayProductWhereItIsAskedFor) {
  EXPECT_EQ(queue_limit_of(250'000, 12'500'000, 10 * kMillisecond), 62'500);
  EXPECT_EQ(queue_limit_of(250'000, 125'000, 10 * kMillisecond), 15'000) << "ten packets";
  auto config = uniform(2, 10 * kMillisecond, 12'500'000);
  config.queue_ppm = 250'000;
  Fabric fabric(config);
  int packets = 0;
  while (fabric.submit(0, parcel(0, 1, 1500)) == kNone) ++packets;
  EXPECT_EQ(packets, 62'500 / 1500);
}

TEST(Fabric, DeliversAfterTransmissionAndLatency) {
  Fabric fabric(uniform(2, 10 * kMillisecond, 1'000'000));
  EXPECT_EQ(fabric.submit(kSecond, parcel(0, 1, 1000)), kNone);
  EXPECT_EQ(fabric.next_event(), kSecond + 11 * kMillisecond);
  EXPECT_FALSE(fabric.take(kSecond + 11 * kMillisecond - 1)) << "never early";
  const auto arrival = fabric.take(kSecond + 12 * kMillisecond);
  ASSERT_TRUE(arrival);
  EXPECT_EQ(arrival->due, kSecond + 11 * kMillisecond);
  EXPECT_FALSE(fabric.next_event());
}

TEST(Fabric, DirectionsOfAPairAreIndependent) {
  auto config = uniform(2, 10 * kMillisecond, 1'000'000);
  config.links[2] = {40 * kMillisecond, 2'000'000, 0};  // 1 -> 0
  Fabric fabric(config);
  fabric.submit(0, parcel(1, 0, 1000));
  fabric.submit(0, parcel(0, 1, 1000));
  const std::vector<Arrived> expected = {{11 * kMillisecond, 0, 1},
                                         {40 * kMillisecond + kMillisecond / 2, 1, 0}};
  EXPECT_EQ(drain(fabric), expected);
}

TEST(Fabric, OrdersArrivalsByTimeThenEntry) {
  auto config = uniform(3, 5 * kMillisecond, 1'000'000'000);
  config.links[1].latency_ns = 9 * kMillisecond;  // 0 -> 1
  Fabric fabric(config);
  fabric.submit(0, parcel(0, 1, 100));
  fabric.submit(0, parcel(2, 1, 100));
  fabric.submit(0, parcel(1, 2, 100));
  const std::vector<Arrived> expected = {
      {5 * kMillisecond + 100, 2, 1}, {5 * kMillisecond + 100, 1, 2}, {9 * kMillisecond + 100, 0, 1}};
  EXPECT_EQ(drain(fabric), expected);
}

TEST(Fabric, UplinkIsSharedByAllDestinations) {
  auto config = uniform(3, 10 * kMillisecond, 10'000'000);
  config.uplinks[0] = 1'000'000;
  Fabric fabric(config);
  for (const SiteIndex to : {1, 2, 1, 2}) fabric.submit(0, parcel(0, to, 1000));
  const auto arrived = drain(fabric);
  ASSERT_EQ(arrived.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(arrived[i].due, 10 * kMillisecond + static_cast<Nanoseconds>(i + 1) * kMillisecond)
        << "cut-through";
}

TEST(Fabric, DownlinkIsSharedByAllSources) {
  auto config = uniform(3, 10 * kMillisecond, 10'000'000);
  config.downlinks[0] = 1'000'000;
  Fabric fabric(config);
  for (const SiteIndex from : {1, 2, 1, 2}) fabric.submit(0, parcel(from, 0, 1000));
  const auto arrived = drain(fabric);
  ASSERT_EQ(arrived.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(arrived[i].due, 10 * kMillisecond + static_cast<Nanoseconds>(i + 1) * kMillisecond)
        << "cut-through";
}

TEST(Fabric, ReportsWhatADownlinkDrops) {
  auto config = uniform(3, 0, 1'000'000'000'000);
  config.downlinks[2] = 1'000;
  Fabric fabric(config);
  const int fit = (4 << 20) / 65'536;
  for (int i = 0; i < fit + 3; ++i) ASSERT_EQ(fabric.submit(0, parcel(i % 2, 2, 65'536)), kNone);
  int dropped = 0;
  while (const auto arrival = fabric.take(kSecond)) dropped += arrival->fate == Fate::kOverflowed;
  EXPECT_EQ(dropped, 3);
}

TEST(Fabric, LosesAboutWhatWasAskedAndTheSameAgain) {
  auto config = uniform(2, kMillisecond, 1'000'000'000);
  for (Link& link : config.links) link.loss_ppm = 100'000;
  Fabric fabric(config), again(config);
  int lost = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Drops drops = fabric.submit(i * kMillisecond, parcel(0, 1, 100));
    EXPECT_EQ(drops, again.submit(i * kMillisecond, parcel(0, 1, 100)));
    lost += static_cast<int>(drops.lost);
  }
  EXPECT_NEAR(lost, 1000, 120) << "four standard deviations";
}

TEST(Fabric, KeepsTheRateOverManyPackets) {
  Fabric fabric(uniform(2, 20 * kMillisecond, 12'500'000));
  for (int i = 0; i < 400; ++i) fabric.submit(0, parcel(0, 1, 9000));
  const auto arrived = drain(fabric);
  ASSERT_EQ(arrived.size(), 400u);
  EXPECT_EQ(arrived.back().due, 20 * kMillisecond + 400 * 720'000);
}

TEST(Fabric, AChangedLatencyHoldsForWhatEntersLater) {
  Fabric fabric(uniform(2, 10 * kMillisecond, 1'000'000));
  fabric.submit(0, parcel(0, 1, 1000));
  fabric.change(0, 0, 1, {.latency_ns = 100 * kMillisecond});
  fabric.submit(5 * kMillisecond, parcel(0, 1, 1000));
  fabric.submit(5 * kMillisecond, parcel(1, 0, 1000));
  EXPECT_EQ(drain(fabric),
            (std::vector<Arrived>{
                {11 * kMillisecond, 0, 1}, {16 * kMillisecond, 1, 0}, {106 * kMillisecond, 0, 1}}));
}

TEST(Fabric, AChangedBandwidthHoldsForWhatEntersLater) {
  Fabric fabric(uniform(2, 10 * kMillisecond, 1'000'000));
  for (int i = 0; i < 2; ++i) fabric.submit(0, parcel(0, 1, 1000));
  fabric.change(0, 0, 1, {.bandwidth_bytes_per_s = 100'000});
  fabric.submit(0, parcel(0, 1, 1000));
  fabric.submit(0, parcel(1, 0, 1000));
  fabric.change(kMillisecond, 0, 1, {.bandwidth_bytes_per_s = 1'000'000});
  fabric.submit(20 * kMillisecond, parcel(0, 1, 1000));
  EXPECT_EQ(drain(fabric), (std::vector<Arrived>{{11 * kMillisecond, 0, 1},
                                                 {11 * kMillisecond, 1, 0},
                                                 {12 * kMillisecond, 0, 1},
                                                 {22 * kMillisecond, 0, 1},
                                                 {31 * kMillisecond, 0, 1}}));
}

TEST(Fabric, AQueueHoldsAsManyBytesWhenTheBandwidthChanges) {
  constexpr Bytes kLimit = 4 << 20, kSize = 8192;
  for (const BytesPerSecond later : {50'000'000, 500'000}) {
    Fabric fabric(uniform(2, kMillisecond, 5'000'000));
    const auto fill = [&] {
      int packets = 0;
      while (fabric.submit(0, parcel(0, 1, kSize)) == kNone) ++packets;
      return packets;
    };
    for (Bytes sent = 0; sent < kLimit / 2; sent += kSize) fabric.submit(0, parcel(0, 1, kSize));
    fabric.change(0, 0, 1, {.bandwidth_bytes_per_s = later});
    EXPECT_NEAR(fill(), kLimit / 2 / kSize, 1) << later;
  }
}

TEST(Fabric, DoesNotReorderWhenTheLatencyDrops) {
  auto config = uniform(2, 100 * kMillisecond, 1'000'000);
  for (const bool with_downlink : {false, true}) {
    if (with_downlink) config.downlinks[1] = 1'000'000;
    Fabric fabric(config);
    fabric.submit(0, parcel(0, 1, 100));
    fabric.change(0, 0, 1, {.latency_ns = kMillisecond});
    fabric.submit(5 * kMillisecond, parcel(0, 1, 9000));
    fabric.submit(200 * kMillisecond, parcel(0, 1, 1000));
    std::vector<Bytes> sizes;
    while (const auto arrival = fabric.take(kSecond)) sizes.push_back(arrival->parcel.size);
    EXPECT_EQ(sizes, (std::vector<Bytes>{100, 9000, 1000}));
  }
}

TEST(Fabric, ALinkThatIsDownLosesWhatEntersUntilItIsUp) {
  Fabric fabric(uniform(2, 10 * kMillisecond, 1'000'000));
  EXPECT_EQ(fabric.submit(0, parcel(0, 1, 1000)), kNone);
  fabric.change(11 * kMillisecond, 0, 1, {.is_up = false});
  EXPECT_EQ(fabric.submit(12 * kMillisecond, parcel(0, 1, 1000)), kOneLost);
  EXPECT_EQ(fabric.submit(12 * kMillisecond, parcel(1, 0, 1000)), kNone);
  fabric.change(40 * kMillisecond, 0, 1, {.is_up = true});
  EXPECT_EQ(fabric.submit(50 * kMillisecond, parcel(0, 1, 1000)), kNone);
  EXPECT_EQ(drain(fabric),
            (std::vector<Arrived>{
                {11 * kMillisecond, 0, 1}, {23 * kMillisecond, 1, 0}, {61 * kMillisecond, 0, 1}}));
}

TEST(Fabric, ALinkThatGoesDownLosesWhatIsOnIt) {
  auto config = uniform(2, 10 * kMillisecond, 1'000'000);
  for (const bool with_downlink : {false, true}) {
    if (with_downlink) config.downlinks[1] = 1'000'000;
    Fabric fabric(config);
    for (int i = 0; i < 3; ++i) fabric.submit(0, parcel(0, 1, 1000));
    fabric.submit(2 * kMillisecond, parcel(1, 0, 1000));
    fabric.change(12 * kMillisecond, 0, 1, {.is_up = false});
    fabric.change(12 * kMillisecond, 0, 1, {.is_up = true});
    EXPECT_EQ(drain(fabric),
              (std::vector<Arrived>{
                  {11 * kMillisecond, 0, 1}, {12 * kMillisecond, 0, 1}, {13 * kMillisecond, 1, 0}}));
  }
}

TEST(Fabric, AChangedLossHoldsFromThenOn) {
  Fabric fabric(uniform(2, kMillisecond, 1'000'000'000));
  EXPECT_EQ(fabric.submit(0, parcel(0, 1, 100)), kNone);
  fabric.change(0, 0, 1, {.loss_ppm = 1'000'000});
  EXPECT_EQ(fabric.submit(0, parcel(0, 1, 100)), kOneLost);
  fabric.change(0, 0, 1, {.loss_ppm = 0});
  EXPECT_EQ(fabric.submit(0, parcel(0, 1, 100)), kNone);
}

const std::vector<std::string> kCities = {"paris", "tokyo", "oslo"};
using Pairs = std::vector<std::pair<SiteIndex, SiteIndex>>;

TEST(LinkCommand, NamesTheLinksAndWhatChanges) {
  EXPECT_EQ(parse_link_command({"paris", "oslo", "down"}, kCities),
            (LinkCommand{{{0, 2}, {2, 0}}, {.is_up = false}}));
  EXPECT_EQ(parse_link_command({"oslo", "paris", "up", "one-way"}, kCities),
            (LinkCommand{{{2, 0}}, {.is_up = true}}));
  EXPECT_EQ(parse_link_command({"tokyo", "*", "latency", "100 ms"}, kCities),
            (LinkCommand{{{0, 1}, {1, 0}, {1, 2}, {2, 1}}, {.latency_ns = 100 * kMillisecond}}));
  EXPECT_EQ(parse_link_command({"paris", "oslo", "bandwidth", "10 Mbit/s", "one-way"}, kCities),
            (LinkCommand{{{0, 2}}, {.bandwidth_bytes_per_s = 1'250'000}}));
  EXPECT_EQ(parse_link_command({"*", "tokyo", "loss", "1 %", "one-way"}, kCities),
            (LinkCommand{{{0, 1}, {2, 1}}, {.loss_ppm = 10'000}}));
  EXPECT_EQ(parse_link_command({"*", "*", "down"}, kCities)->pairs,
            (Pairs{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}));
}

/// What is said about a command that is wrong.
std::string complaint_about(const std::vector<std::string>& words) {
  const auto command = parse_link_command(words, kCities);
  return command ? "nothing" : command.error().message();
}

TEST(LinkCommand, SaysWhatIsWrong) {
  EXPECT_EQ(complaint_about({"paris", "rome", "down"}),
            R"(link: "rome": no site of this lab; its sites are paris, tokyo, oslo)");
  EXPECT_EQ(complaint_about({"paris", "paris", "down"}), R"(link: "paris paris": a link joins two sites)");
  EXPECT_EQ(complaint_about({"paris", "tokyo", "sideways"}),
            std::string(R"(link: "sideways": expected )") + kLinkUsage);
  EXPECT_EQ(complaint_about({"paris", "tokyo", "down", "now"}),
            std::string(R"(link: "down now": expected )") + kLinkUsage);
  EXPECT_TRUE(
      complaint_about({"paris", "tokyo", "latency", "slow"}).starts_with(R"(link: latency = "slow": )"));
  EXPECT_TRUE(complaint_about({"paris", "tokyo", "loss", "101 %"}).starts_with(R"(link: loss = "101 %": )"));
  const std::vector<std::vector<std::string>> unfinished = {
      {}, {"one-way"}, {"paris", "tokyo"}, {"paris", "tokyo", "one-way"}, {"paris", "tokyo", "latency"}};
  for (const auto& words : unfinished) EXPECT_FALSE(parse_link_command(words, kCities)) << words.size();
}

/// An IPv4 packet from 10.1.0.1 to 10.2.0.3, `payload` bytes behind `headers` bytes of IP and transport
/// header.
std::vector<std::byte> packet(std::uint8_t protocol, std::size_t headers, std::size_t payload) {
  std::vector<std::byte> bytes(headers + payload);
  bytes[0] = std::byte{0x45};
  bytes[2] = static_cast<std::byte>(bytes.size() >> 8);
  bytes[3] = static_cast<std::byte>(bytes.size() & 0xff);
  bytes[9] = std::byte{protocol};
  const std::uint8_t addresses[] = {10, 1, 0, 1, 10, 2, 0, 3};
  std::memcpy(&bytes[12], addresses, 8);
  bytes[32] = static_cast<std::byte>((headers - 20) / 4 << 4);
  return bytes;
}
constexpr std::uint8_t kTcp = 6, kUdp = 17;

TEST(Packet, TcpPayloadIsWhatLiesBehindBothHeaders) {
  const auto info = parse_packet(packet(kTcp, 20 + 32, 700));
  ASSERT_TRUE(info);
  EXPECT_EQ(info->source, 0x0a010001u);
  EXPECT_EQ(info->destination, 0x0a020003u);
  EXPECT_EQ(info->ip_bytes, 752);
  ASSERT_TRUE(info->tcp);
  EXPECT_EQ(info->tcp->payload, 700);
  EXPECT_EQ(parse_packet(packet(kTcp, 20 + 20, 0))->tcp->payload, 0) << "an acknowledgement";
}

TEST(Packet, OtherProtocolsHaveNoTcpPayload) {
  EXPECT_FALSE(parse_packet(packet(kUdp, 40, 700))->tcp);
}

TEST(Packet, LaterFragmentsHaveNoTcpHeader) {
  auto bytes = packet(kTcp, 40, 700);
  bytes[7] = std::byte{1};
  EXPECT_FALSE(parse_packet(bytes)->tcp);
}

TEST(Packet, RefusesWhatIsNotOneWholeIpv4Packet) {
  auto bytes = packet(kTcp, 40, 700);
  EXPECT_FALSE(parse_packet(std::span(bytes).first(19)));
  EXPECT_FALSE(parse_packet(std::span(bytes).first(200))) << "shorter than it says";
  bytes[0] = std::byte{0x60};
  EXPECT_FALSE(parse_packet(bytes)) << "IPv6";
  bytes[0] = std::byte{0x44};
  EXPECT_FALSE(parse_packet(bytes)) << "header too short";
}

TEST(Packet, NamesTheStreamAndThePlaceInIt) {
  auto bytes = packet(kTcp, 40, 700);
  const std::uint8_t header[] = {0x10, 0x01, 0x20, 0x02, 0xfe, 0xdc, 0xba, 0x98};
  std::memcpy(&bytes[20], header, sizeof header);
  const auto tcp = parse_packet(bytes)->tcp;
  ASSERT_TRUE(tcp);
  EXPECT_EQ(tcp->ports, 0x10012002u);
  EXPECT_EQ(tcp->sequence, 0xfedcba98u);
  EXPECT_FALSE(tcp->is_first);
  bytes[33] = std::byte{0x12};  // SYN and ACK
  EXPECT_TRUE(parse_packet(bytes)->tcp->is_first);
}

/// A packet of a stream between two hosts.
PacketInfo segment(std::uint32_t sequence, Bytes payload, std::uint32_t ports = 1, bool is_first = false) {
  return {1, 2, 40 + payload, TcpSegment{ports, sequence, is_first, payload}};
}

TEST(TcpStreams, CountEveryByteOnce) {
  TcpStreams streams;
  EXPECT_EQ(streams.advance(segment(1000, 100)), 100);
  EXPECT_EQ(streams.advance(segment(1100, 100)), 100);
  EXPECT_EQ(streams.advance(segment(1000, 100)), 0) << "sent again";
  EXPECT_EQ(streams.advance(segment(1150, 100)), 50) << "half of it sent again";
  EXPECT_EQ(streams.advance(segment(1250, 0)), 0) << "an acknowledgement";
  EXPECT_EQ(streams.advance(segment(1300, 100)), 150) << "behind what was never seen";
  EXPECT_EQ(streams.advance(segment(1250, 50)), 0) << "what was not seen, sent again";
}

TEST(TcpStreams, GoOnWhereNumbersWrapAround) {
  TcpStreams streams;
  EXPECT_EQ(streams.advance(segment(0xffffffce, 100)), 100);
  EXPECT_EQ(streams.advance(segment(50, 100)), 100);
  EXPECT_EQ(streams.advance(segment(0xffffffce, 100)), 0);
}

TEST(TcpStreams, AreToldApartByPortsAndBegin) {
  TcpStreams streams;
  EXPECT_EQ(streams.advance(segment(999, 0, 1, true)), 0);
  EXPECT_EQ(streams.advance(segment(1000, 100, 1)), 100);
  EXPECT_EQ(streams.advance(segment(1000, 100, 2)), 100) << "of other ports";
  EXPECT_EQ(streams.advance(segment(9, 0, 1, true)), 0) << "the same ports in a later connection";
  EXPECT_EQ(streams.advance(segment(10, 100, 1)), 100);
  EXPECT_EQ(streams.advance({1, 2, 100, std::nullopt}), 0);
}

TEST(Address, TellsWhatIsNotTheJobs) {
  EXPECT_TRUE(is_of_others(ipv4_address("10.3.254.1")));
  EXPECT_FALSE(is_of_others(ipv4_address("10.3.249.250")));
  EXPECT_FALSE(is_of_others(router_of(2)));
}

TEST(Address, NamesItsSite) {
  EXPECT_EQ(site_of_address(0x0a010001, 2), 0);
  EXPECT_EQ(site_of_address(0x0a020001, 2), 1);
  EXPECT_EQ(site_of_address(0x0a030001, 2), std::nullopt);
  EXPECT_EQ(site_of_address(0x0a000001, 2), std::nullopt);
  EXPECT_EQ(site_of_address(0xc0a80101, 2), std::nullopt);
}

class Counters : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  const std::string path_ =
      std::filesystem::temp_directory_path() / ("counters_test." + std::to_string(::getpid()));
};

TEST_F(Counters, AReaderSeesWhatTheWriterCounts) {
  CounterFile file(path_, {"paris", "tokyo"});
  const CountersView view(path_.c_str());
  ASSERT_TRUE(view.valid());
  EXPECT_EQ(view.sites(), 2u);
  EXPECT_STREQ(view.site_name(1), "tokyo");
  file.count_packet(0, 1, segment(1000, 700));
  file.count_packet(0, 1, segment(1000, 700));
  file.count_packet(0, 1, segment(1700, 0));
  file.count_drops(1, 0, {.lost = 1, .overflowed = 2});
  file.count_other(1, 0, 1500);
  EXPECT_EQ(view.link(0, 1).packets, 3u);
  EXPECT_EQ(view.link(0, 1).ip_bytes, 1520u);
  EXPECT_EQ(view.link(0, 1).tcp_payload_segments, 2u);
  EXPECT_EQ(view.link(0, 1).tcp_payload_bytes, 1400u);
  EXPECT_EQ(view.link(0, 1).tcp_stream_segments, 1u);
  EXPECT_EQ(view.link(0, 1).tcp_stream_bytes, 700u);
  EXPECT_EQ(view.link(0, 1).lost, 0u);
  EXPECT_EQ(view.link(1, 0).lost, 1u);
  EXPECT_EQ(view.link(1, 0).overflowed, 2u);
  EXPECT_EQ(view.link(1, 0).packets, 0u) << "what is somebody else's";
  EXPECT_EQ(view.link(1, 0).other_ip_bytes, 1500u);
}

TEST_F(Counters, OnlyDeliveriesBeyondTheThresholdAreLate) {
  CounterFile file(path_, {"paris", "tokyo"});
  const CountersView view(path_.c_str());
  const auto threshold = static_cast<Nanoseconds>(view.header().late_threshold_ns);
  file.count_delivery(0, 1, threshold + 1);
  file.count_delivery(0, 1, threshold);
  EXPECT_EQ(view.link(0, 1).late, 1u);
  EXPECT_EQ(view.link(0, 1).worst_lateness_ns, static_cast<std::uint64_t>(threshold + 1));
  EXPECT_NE(report_warning(view), "");
}

TEST_F(Counters, AFileThatIsNotACountersFileIsRefused) {
  EXPECT_FALSE(CountersView(nullptr).valid());
  EXPECT_FALSE(CountersView(path_.c_str()).valid());
  write_file(path_, std::string(sizeof(CountersHeader), 'x'));
  EXPECT_FALSE(CountersView(path_.c_str()).valid());
}

TEST_F(Counters, ReportsNameEveryDirectedPair) {
  CounterFile file(path_, {"paris", "to\"kyo"});
  const CountersView view(path_.c_str());
  file.count_packet(0, 1, segment(1000, 700));
  EXPECT_EQ(report_csv(view),
            "from,to,packets,ip_bytes,tcp_payload_segments,tcp_payload_bytes,tcp_stream_segments,tcp_stream_"
            "bytes,lost,overflowed,late,worst_lateness_ns,other_ip_bytes\n"
            "paris,to\"kyo,1,740,1,700,1,700,0,0,0,0,0\n"
            "to\"kyo,paris,0,0,0,0,0,0,0,0,0,0,0\n");
  const std::string json = report_json(view, "fifo", "kernel");
  EXPECT_NE(json.find("\"from\": \"paris\", \"to\": \"to\\\"kyo\", \"packets\": 1, \"ip_bytes\": 740"),
            json.npos);
  EXPECT_EQ(report_warning(view), "");
}

constexpr const char* kTopology = R"(
[defaults]
latency = "20 ms"
bandwidth = "1 MB/s"
[site.paris]
hosts = ["par-[1-3]"]
uplink = "2 MB/s"
[site.tokyo]
hosts = ["tky*"]
[site.lab]
hosts = ["192.0.2.0/24"]
[[link]]
from = "paris"
to = "tokyo"
latency = "112 ms"
bandwidth = "4 MB/s"
[[node]]
hosts = ["par-2"]
slots = 4
)";

SiteFile topology() {
  return SiteFile::parse(kTopology, "test.toml").value();
}
PerSite numbers(std::string_view text) {
  return PerSite::parse(text, "--ranks").value();
}

TEST(Plan, SpreadsRanksOverHostsAndLeavesOtherSitesOut) {
  LabWishes wishes;
  wishes.ranks = numbers("paris=7,tokyo=5");
  wishes.hosts = numbers("paris=3");
  const auto plan = plan_lab(topology(), "test.toml", wishes).value();
  EXPECT_EQ(mpi_hostfile(plan), "par-1 slots=3\npar-2 slots=2\npar-3 slots=2\ntky1 slots=3\ntky2 slots=2\n");
  EXPECT_EQ(
      hosts_file(plan),
      "127.0.0.1 localhost\n10.1.0.1 par-1\n10.1.0.2 par-2\n10.1.0.3 par-3\n10.2.0.1 tky1\n10.2.0.2 tky2\n");
  ASSERT_EQ(plan.fabric.links.size(), 4u);
  EXPECT_EQ(plan.fabric.links[1].latency_ns, 112 * kMillisecond);
  EXPECT_EQ(plan.fabric.links[2].latency_ns, 20 * kMillisecond);
  EXPECT_EQ(plan.fabric.uplinks[0], 2'000'000);
  EXPECT_EQ(plan.fabric.uplinks[1], std::nullopt);
}

TEST(Plan, TakesNoMoreHostsThanRanksOrNames) {
  LabWishes wishes;
  wishes.ranks = numbers("paris=9,tokyo=1");
  wishes.hosts = numbers("8");
  const auto plan = plan_lab(topology(), "test.toml", wishes).value();
  EXPECT_EQ(mpi_hostfile(plan), "par-1 slots=3\npar-2 slots=3\npar-3 slots=3\ntky1 slots=1\n");
}

TEST(Plan, WithoutRanksTheFileSaysHowManyProcessesAHostTakes) {
  const auto file = SiteFile::parse(R"(
[defaults]
latency = "1 ms"
bandwidth = "1 MB/s"
[site.paris]
hosts = ["par-[1-3]"]
[[node]]
hosts = ["par-[2-3]"]
slots = 4
)",
                                    "test.toml")
                        .value();
  EXPECT_EQ(mpi_hostfile(plan_lab(file, "test.toml", {}).value()),
            "par-1 slots=1\npar-2 slots=4\npar-3 slots=4\n");
}

TEST(Plan, LossOfTheCommandLineReplacesThatOfTheFile) {
  LabWishes wishes;
  wishes.ranks = numbers("paris=1,tokyo=1");
  wishes.loss_ppm = 500;
  const auto plan = plan_lab(topology(), "test.toml", wishes).value();
  ASSERT_EQ(plan.fabric.links.size(), 4u);
  for (const Link& link : plan.fabric.links) EXPECT_EQ(link.loss_ppm, 500);
}

TEST(Plan, ASiteWithoutHostNamesCannotBeBroughtUp) {
  LabWishes wishes;
  wishes.ranks = numbers("3");
  const auto plan = plan_lab(topology(), "test.toml", wishes);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().key, "site.lab.hosts");
}

TEST(Plan, RefusesSitesThatTheFileDoesNotHave) {
  LabWishes wishes;
  wishes.ranks = numbers("paris=1,osaka=2");
  const auto plan = plan_lab(topology(), "test.toml", wishes);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message(), "--ranks: \"osaka\": the topology file has no site of this name");
}

TEST(Plan, TheInitialWindowIsWhatTheFullestLinkHasOnItsWay) {
  FabricConfig fabric;
  fabric.sites = 2;
  fabric.links = {{}, {10'000'000, 90'000'000, 0}, {30'000'000, 1'000'000, 0}, {}};
  EXPECT_EQ(packets_of_a_round_trip(fabric, 9000), 401);  // 40 ms of 90 MB/s
  EXPECT_EQ(packets_of_a_round_trip(fabric, 65535), 55);
  fabric.links[1].bandwidth_bytes_per_s = fabric.links[2].bandwidth_bytes_per_s = 1'000;
  EXPECT_EQ(packets_of_a_round_trip(fabric, 9000), 10);
  fabric.links[1].bandwidth_bytes_per_s = 12'500'000'000;
  EXPECT_EQ(packets_of_a_round_trip(fabric, 9000), 55'556);
  fabric.links[1].latency_ns = 150'000'000;
  EXPECT_EQ(packets_of_a_round_trip(fabric, 9000), 65'535);
}

TEST(Plan, TheFastestSumIsWhatLinksAndAccessLinksLetThrough) {
  auto fabric = uniform(3, kMillisecond, 10);
  EXPECT_EQ(fastest_sum(fabric), 60);
  fabric.uplinks[0] = 5;
  EXPECT_EQ(fastest_sum(fabric), 45);
  fabric.downlinks[1] = 1;
  fabric.downlinks[2] = 1;
  EXPECT_EQ(fastest_sum(fabric), 22);
}

TEST(PerSite, RefusesWhatIsNeitherANumberNorAList) {
  for (const char* text :
       {"", "0", "-1", "x", "paris", "paris=", "paris=0", "paris=1,", "paris=1;tokyo=2", "99999999999"})
    EXPECT_FALSE(PerSite::parse(text, "--ranks")) << text;
}

}  // namespace
}  // namespace wan::lab
