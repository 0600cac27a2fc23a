// SPDX-License-Identifier: BSD-3-Clause
// bench/lab/train.h: what the kernel hands over at once, cut into packets; and how the links carry them.
#include "bench/lab/train.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/time.h"
#include "bench/lab/fabric.h"

namespace wan::lab {
namespace {

constexpr std::size_t kIpHeader = 20, kTcpHeader = 32, kHeaders = kIpHeader + kTcpHeader;
constexpr std::size_t kPacket = kOffloadHeader + kFrameHeader, kSegment = kPacket + kIpHeader;

void set_word(std::vector<std::byte>& bytes, std::size_t at, std::size_t value) {
  bytes[at] = static_cast<std::byte>(value >> 8 & 0xff);
  bytes[at + 1] = static_cast<std::byte>(value & 0xff);
}
unsigned word(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<unsigned>(bytes[at]) << 8 | std::to_integer<unsigned>(bytes[at + 1]);
}

/// The Internet checksum's sum of the words, folded.
unsigned sum_of(std::span<const std::byte> words) {
  unsigned sum = 0;
  for (std::size_t at = 0; at < words.size(); at += 2) sum += word(words, at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

/// What a device reads of a stream: `payload` bytes, 0 1 2 ... 250 0 1 ..., to be cut into packets with
/// `segment` of them; as Linux makes it, with the sum of addresses, protocol and length in the place of the
/// checksum.
std::vector<std::byte> read_of(std::size_t payload, std::uint16_t segment, std::uint16_t port = 1000) {
  std::vector<std::byte> bytes(kPacket + kHeaders + payload);
  bytes[0] = std::byte{1};                                                // a checksum is missing
  bytes[1] = std::byte{segment > 0 ? std::uint8_t{1} : std::uint8_t{0}};  // TCP over IPv4
  std::memcpy(&bytes[4], &segment, sizeof segment);
  bytes[kPacket] = std::byte{0x45};
  set_word(bytes, kPacket + 2, kHeaders + payload);
  set_word(bytes, kPacket + 4, 0xfffe);
  bytes[kPacket + 9] = std::byte{6};
  const std::uint8_t addresses[] = {10, 1, 0, 1, 10, 2, 0, 3};
  std::memcpy(&bytes[kPacket + 12], addresses, sizeof addresses);
  set_word(bytes, kSegment, port);
  const std::uint8_t sequence[] = {0xff, 0xff, 0xff, 0x00};
  std::memcpy(&bytes[kSegment + 4], sequence, sizeof sequence);
  bytes[kSegment + 12] = static_cast<std::byte>(kTcpHeader / 4 << 4);
  bytes[kSegment + 13] = std::byte{0x80 | 0x10 | 0x08 | 0x01};  // CWR, ACK, PSH, FIN
  const std::span addresses_of = std::span(bytes).subspan(kPacket + 12, 8);
  set_word(bytes, kSegment + 16, (sum_of(addresses_of) + 6 + kTcpHeader + payload) % 0xffff);
  for (std::size_t i = 0; i < payload; ++i) bytes[kPacket + kHeaders + i] = static_cast<std::byte>(i % 251);
  return bytes;
}

Train train_of(const std::vector<std::byte>& bytes) {
  return {bytes, parse_packet(std::span(bytes).subspan(kPacket)).value()};
}

std::uint32_t sequence_of(std::span<const std::byte> bytes) {
  return word(bytes, kSegment + 4) << 16 | word(bytes, kSegment + 6);
}

TEST(Train, IsOnePacketWithoutSegmentation) {
  const auto bytes = read_of(700, 0);
  const Train train = train_of(bytes);
  EXPECT_EQ(train.packets(), 1u);
  EXPECT_EQ(train.packet(0).ip_bytes, 752);
  EXPECT_EQ(train.ip_bytes(0, 1), 752);
  EXPECT_EQ(train.piece(0, 1), bytes);
}

TEST(Train, IsAsManyPacketsAsTheSenderWouldHaveMade) {
  const Train train = train_of(read_of(3000, 1448));
  ASSERT_EQ(train.packets(), 3u);
  EXPECT_EQ(train.packet(0).ip_bytes, 1500);
  EXPECT_EQ(train.packet(2).ip_bytes, 52 + 104);
  EXPECT_EQ(train.packet(2).tcp->payload, 104);
  EXPECT_EQ(train.packet(2).tcp->sequence, 0xffffff00u + 2896) << "over the end of the numbers";
  EXPECT_EQ(train.ip_bytes(0, 3), 3 * 52 + 3000);
  EXPECT_EQ(train.ip_bytes(1, 2), 2 * 52 + 1552);
  EXPECT_EQ(train_of(read_of(2896, 1448)).packets(), 2u);
}

/// Is every header of a piece what its sender would have written?
void expect_whole(std::span<const std::byte> piece) {
  const std::span packet = piece.subspan(kPacket);
  EXPECT_EQ(word(packet, 2), packet.size());
  EXPECT_EQ(sum_of(packet.first(kIpHeader)), 0xffffu) << "the sum over a right header";
  const unsigned expected =
      (sum_of(packet.subspan(12, 8)) + 6 + static_cast<unsigned>(packet.size() - kIpHeader)) % 0xffff;
  EXPECT_EQ(word(packet, kIpHeader + 16) % 0xffff, expected) << "of addresses, protocol and length";
}

TEST(Train, IsCutIntoPiecesThatAreTheStreamAgain) {
  const auto bytes = read_of(10'000, 1448);
  const Train train = train_of(bytes);
  ASSERT_EQ(train.packets(), 7u);
  for (std::size_t cut = 1; cut < train.packets(); ++cut) {
    const auto first = train.piece(0, cut), second = train.piece(cut, train.packets() - cut);
    expect_whole(first);
    expect_whole(second);
    EXPECT_EQ(sequence_of(second) - sequence_of(first), cut * 1448);
    EXPECT_EQ(word(second, kPacket + 4), (0xfffe + cut) % 0x10000) << "a number for each packet";
    std::vector<std::byte> stream(first.begin() + kPacket + kHeaders, first.end());
    stream.insert(stream.end(), second.begin() + kPacket + kHeaders, second.end());
    EXPECT_TRUE(std::ranges::equal(stream, std::span(bytes).subspan(kPacket + kHeaders)));
    EXPECT_EQ(std::to_integer<int>(first[kSegment + 13]), 0x80 | 0x10) << "what ends the stream comes last";
    EXPECT_EQ(std::to_integer<int>(second[kSegment + 13]), 0x10 | 0x08 | 0x01);
    EXPECT_EQ(std::to_integer<int>(first[1]), cut > 1 ? 1 : 0) << "one packet is not to be cut";
  }
}

FabricConfig two_sites(BytesPerSecond rate) {
  FabricConfig config;
  config.sites = 2;
  config.links.assign(4, Link{10 * kMillisecond, rate, 0});
  config.uplinks.resize(2);
  config.downlinks.resize(2);
  return config;
}

Parcel parcel_of(const std::vector<std::byte>& bytes) {
  const auto train = std::make_shared<const Train>(train_of(bytes));
  return {0, 1, train->ip_bytes(0, train->packets()), train, 0, train->packets()};
}

/// (first packet, packets, due) of all that arrives.
using Arrivals = std::vector<std::tuple<std::size_t, std::size_t, Nanoseconds>>;
Arrivals arrivals(Fabric& fabric) {
  Arrivals all;
  while (const auto arrival = fabric.take(100 * kSecond))
    if (arrival->fate == Fate::kDelivered)
      all.emplace_back(arrival->parcel.first, arrival->parcel.packets, arrival->due);
  return all;
}

TEST(TrainOnALink, ArrivesWithItsLastPacketWhereTheLinkIsFast) {
  Fabric fabric(two_sites(100'000'000));  // a packet takes 15 us
  fabric.submit(0, parcel_of(read_of(10 * 1448, 1448)));
  EXPECT_EQ(arrivals(fabric), (Arrivals{{0, 10, 10 * kMillisecond + 150'000}}));
}

TEST(TrainOnALink, ArrivesInPiecesWhereTheLinkIsSlow) {
  Fabric fabric(two_sites(15'000'000));  // a packet takes 100 us
  fabric.submit(0, parcel_of(read_of(7 * 1448, 1448)));
  EXPECT_EQ(arrivals(fabric), (Arrivals{{0, 3, 10 * kMillisecond + 300'000},
                                        {3, 3, 10 * kMillisecond + 600'000},
                                        {6, 1, 10 * kMillisecond + 700'000}}));
}

TEST(TrainOnALink, LosesItsPacketsOneByOne) {
  auto config = two_sites(100'000'000);
  for (Link& link : config.links) link.loss_ppm = 100'000;
  Fabric fabric(config);
  std::uint64_t lost = 0;
  for (int i = 0; i < 500; ++i)
    lost += fabric.submit(i * kMillisecond, parcel_of(read_of(10 * 1448, 1448))).lost;
  EXPECT_NEAR(static_cast<double>(lost), 500, 85) << "four standard deviations of 5000 trials";
  std::uint64_t arrived = 0;
  for (const auto& [first, packets, due] : arrivals(fabric)) arrived += packets;
  EXPECT_EQ(arrived, 5000 - lost);
}

TEST(TrainOnALink, FillsAQueueToItsEnd) {
  auto config = two_sites(1'000'000);
  config.queue_ppm = 1'000'000;  // 20 kB: 13 packets
  Fabric fabric(config);
  EXPECT_EQ(fabric.submit(0, parcel_of(read_of(20 * 1448, 1448))), (Drops{.overflowed = 7}));
  config.downlinks[1] = 500'000;  // 10 kB: 6 packets, while the link brings one each 1.5 ms
  config.links[1].bandwidth_bytes_per_s = 100'000'000;
  Fabric capped(config);
  capped.submit(0, parcel_of(read_of(20 * 1448, 1448)));
  std::size_t packets = 0;
  for (const auto& [first, count, due] : arrivals(capped)) packets += count;
  EXPECT_EQ(packets, 10u) << "ten packets wait at least";
}

TEST(FlowRate, IsThatOfEachConnectionByItself) {
  auto config = two_sites(1'000'000'000);
  config.flow_rate = 1'500'000;  // a packet takes 1 ms
  Fabric fabric(config);
  fabric.submit(0, parcel_of(read_of(3 * 1448, 1448)));
  fabric.submit(0, parcel_of(read_of(1448, 0, 2000)));
  EXPECT_EQ(arrivals(fabric), (Arrivals{{0, 1, 11 * kMillisecond},
                                        {0, 1, 11 * kMillisecond + 1'500},  // of the link
                                        {1, 1, 12 * kMillisecond},
                                        {2, 1, 13 * kMillisecond}}));
}

}  // namespace
}  // namespace wan::lab
