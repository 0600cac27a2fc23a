// SPDX-License-Identifier: BSD-3-Clause
// What the emulator reads of a packet: RFC 791 (IPv4) and RFC 9293 (TCP) headers. Pure. Tested by
// bench/lab/tests/emulator_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>

#include "base/types.h"

namespace wan::lab {

/// The parts of a TCP header that say where its data lies in which stream.
struct TcpSegment {
  std::uint32_t ports = 0;     ///< source << 16 | destination
  std::uint32_t sequence = 0;  ///< number of the first byte of data
  bool is_first = false;       ///< SYN: a new stream begins
  Bytes payload = 0;           ///< bytes of data
};

/// The parts of a packet that routing and counting need.
struct PacketInfo {
  std::uint32_t source = 0, destination = 0;  ///< IPv4 addresses, host byte order
  Bytes ip_bytes = 0;                         ///< total length
  std::optional<TcpSegment> tcp;              ///< nullopt for anything else than a whole TCP header
};

/// A directed TCP connection: its addresses and ports.
using Flow = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
/// nullopt: the packet is of no TCP connection.
std::optional<Flow> flow_of(const PacketInfo& packet);

/// nullopt unless `packet` is one whole IPv4 packet.
std::optional<PacketInfo> parse_packet(std::span<const std::byte> packet);

}  // namespace wan::lab
