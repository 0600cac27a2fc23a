// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/packet.h"

namespace wan::lab {
namespace {

constexpr std::size_t kLeastIpHeader = 20;
constexpr std::size_t kLeastTcpHeader = 20;
constexpr std::uint8_t kTcp = 6;
constexpr std::uint8_t kSyn = 0x02;
constexpr std::uint16_t kFragmentOffsetMask = 0x1fff;

std::uint8_t byte_at(std::span<const std::byte> packet, std::size_t at) {
  return std::to_integer<std::uint8_t>(packet[at]);
}

std::uint16_t word_at(std::span<const std::byte> packet, std::size_t at) {
  return static_cast<std::uint16_t>(byte_at(packet, at) << 8 | byte_at(packet, at + 1));
}

/// Header length from its nibble, in 32-bit words.
std::size_t header_bytes(std::uint8_t nibble) {
  return std::size_t{nibble} * 4;
}

std::uint32_t double_word_at(std::span<const std::byte> packet, std::size_t at) {
  return std::uint32_t{word_at(packet, at)} << 16 | word_at(packet, at + 2);
}

std::optional<TcpSegment> tcp_segment(std::span<const std::byte> packet, std::size_t ip_header) {
  const bool first_fragment = (word_at(packet, 6) & kFragmentOffsetMask) == 0;
  if (byte_at(packet, 9) != kTcp || !first_fragment) return std::nullopt;
  if (packet.size() < ip_header + kLeastTcpHeader) return std::nullopt;
  const std::span<const std::byte> segment = packet.subspan(ip_header);
  const std::size_t header = header_bytes(byte_at(segment, 12) >> 4);
  return TcpSegment{double_word_at(segment, 0), double_word_at(segment, 4),
                    (byte_at(segment, 13) & kSyn) != 0,
                    segment.size() > header ? static_cast<Bytes>(segment.size() - header) : 0};
}

}  // namespace

std::optional<Flow> flow_of(const PacketInfo& packet) {
  if (!packet.tcp) return std::nullopt;
  return Flow{packet.source, packet.destination, packet.tcp->ports};
}

std::optional<PacketInfo> parse_packet(std::span<const std::byte> packet) {
  if (packet.size() < kLeastIpHeader || byte_at(packet, 0) >> 4 != 4) return std::nullopt;
  const std::size_t ip_header = header_bytes(byte_at(packet, 0) & 0xf);
  const std::size_t total = word_at(packet, 2);
  if (ip_header < kLeastIpHeader || total != packet.size() || total < ip_header) return std::nullopt;
  return PacketInfo{double_word_at(packet, 12), double_word_at(packet, 16), static_cast<Bytes>(total),
                    tcp_segment(packet, ip_header)};
}

}  // namespace wan::lab
