// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/train.h"

#include <algorithm>
#include <cstring>

namespace wan::lab {
namespace {

/// virtio_net_hdr of <linux/virtio_net.h>, which is no C++; in the machine's byte order.
struct OffloadHeader {
  std::uint8_t flags = 0;
  std::uint8_t kind = 0;             ///< of segmentation; 0: none
  std::uint16_t headers = 0;         ///< bytes before the payload
  std::uint16_t segment = 0;         ///< most payload of a packet
  std::uint16_t checksum_start = 0;  ///< of what is to be summed
  std::uint16_t checksum_offset = 0;
};
static_assert(kOffloadHeader == sizeof(OffloadHeader));

constexpr std::size_t kIpLength = 2, kIpIdentification = 4, kIpChecksum = 10;
constexpr std::size_t kTcpSequence = 4, kTcpFlags = 13, kTcpChecksum = 16;
constexpr std::uint8_t kFin = 0x01, kPush = 0x08, kWindowReduced = 0x80;

std::uint16_t word(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[at]) << 8 |
                                    std::to_integer<unsigned>(bytes[at + 1]));
}
void set_word(std::span<std::byte> bytes, std::size_t at, std::uint32_t value) {
  bytes[at] = static_cast<std::byte>(value >> 8 & 0xff);
  bytes[at + 1] = static_cast<std::byte>(value & 0xff);
}

/// The sum of the Internet checksum (RFC 1071), before it is complemented.
std::uint16_t folded(std::uint64_t sum) {
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(sum);
}

std::size_t ip_header_of(std::span<const std::byte> packet) {
  return (std::to_integer<std::size_t>(packet[0]) & 0xf) * 4;
}

void number_ip(std::span<std::byte> packet, std::size_t packets_before) {
  const std::span<std::byte> header = packet.first(ip_header_of(packet));
  set_word(header, kIpLength, static_cast<std::uint32_t>(packet.size()));
  set_word(header, kIpIdentification,
           word(header, kIpIdentification) + static_cast<std::uint32_t>(packets_before));
  set_word(header, kIpChecksum, 0);
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < header.size(); at += 2) sum += word(header, at);
  set_word(header, kIpChecksum, ~std::uint32_t{folded(sum)});
}

/// The checksum is that of the addresses and the length alone: whoever needs more is told so (NEEDS_CSUM).
void number_tcp(std::span<std::byte> segment, Bytes bytes_before, std::size_t whole, bool is_first,
                bool is_last) {
  const std::uint32_t sequence =
      (std::uint32_t{word(segment, kTcpSequence)} << 16 | word(segment, kTcpSequence + 2)) +
      static_cast<std::uint32_t>(bytes_before);
  set_word(segment, kTcpSequence, sequence >> 16);
  set_word(segment, kTcpSequence + 2, sequence);
  auto flags = std::to_integer<std::uint8_t>(segment[kTcpFlags]);
  if (!is_first) flags &= static_cast<std::uint8_t>(~kWindowReduced);
  if (!is_last) flags &= static_cast<std::uint8_t>(~(kFin | kPush));
  segment[kTcpFlags] = std::byte{flags};
  const auto length_was = static_cast<std::uint16_t>(~whole);
  set_word(segment, kTcpChecksum,
           folded(std::uint64_t{word(segment, kTcpChecksum)} + length_was + segment.size()));
}

OffloadHeader offload_of(std::span<const std::byte> bytes) {
  OffloadHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

}  // namespace

Train::Train(std::span<const std::byte> bytes, const PacketInfo& whole)
    : bytes_(bytes.begin(), bytes.end()), whole_(whole) {
  const OffloadHeader offload = offload_of(bytes);
  if (offload.kind == 0 || offload.segment == 0 || !whole.tcp) return;
  segment_ = offload.segment;
  headers_ = whole.ip_bytes - whole.tcp->payload;
  packets_ = static_cast<std::size_t>(std::max<Bytes>(1, (whole.tcp->payload + segment_ - 1) / segment_));
}

Bytes Train::payload(std::size_t first, std::size_t count) const {
  const Bytes from = static_cast<Bytes>(first) * segment_,
              to = std::min(whole_.tcp->payload, static_cast<Bytes>(first + count) * segment_);
  return to - from;
}

Bytes Train::ip_bytes(std::size_t first, std::size_t count) const {
  if (packets_ == 1) return whole_.ip_bytes;
  return static_cast<Bytes>(count) * headers_ + payload(first, count);
}

PacketInfo Train::packet(std::size_t index) const {
  PacketInfo info = whole_;
  if (packets_ == 1) return info;
  info.ip_bytes = ip_bytes(index, 1);
  info.tcp->payload = payload(index, 1);
  info.tcp->sequence += static_cast<std::uint32_t>(static_cast<Bytes>(index) * segment_);
  return info;
}

std::vector<std::byte> Train::piece(std::size_t first, std::size_t count) const {
  if (count == packets_) return bytes_;
  const std::size_t head = kOffloadHeader + kFrameHeader + static_cast<std::size_t>(headers_);
  const Bytes before = static_cast<Bytes>(first) * segment_;
  const std::span whole(bytes_);
  const auto body =
      whole.subspan(head + static_cast<std::size_t>(before), static_cast<std::size_t>(payload(first, count)));
  std::vector<std::byte> piece(head + body.size());
  std::ranges::copy(body, std::ranges::copy(whole.first(head), piece.begin()).out);
  OffloadHeader offload = offload_of(bytes_);
  if (count == 1) offload.kind = 0, offload.segment = 0;
  std::memcpy(piece.data(), &offload, sizeof offload);
  const std::span packet = std::span(piece).subspan(kOffloadHeader + kFrameHeader);
  const std::size_t ip_header = ip_header_of(packet);
  number_ip(packet, first);
  number_tcp(packet.subspan(ip_header), before, static_cast<std::size_t>(whole_.ip_bytes) - ip_header,
             first == 0, first + count == packets_);
  return piece;
}

}  // namespace wan::lab
