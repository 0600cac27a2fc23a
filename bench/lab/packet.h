// SPDX-License-Identifier: BSD-3-Clause
// What the emulator reads of a packet: RFC 791 (IPv4) and RFC 9293 (TCP) headers. Pure. Tested by
// bench/lab/tests/emulator_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/types.h"

namespace wan::lab {

/// The parts of a packet that routing and counting need.
struct PacketInfo {
  std::uint32_t destination = 0;  ///< IPv4 address, host byte order
  Bytes ip_bytes = 0;             ///< total length
  Bytes tcp_payload = 0;          ///< data in a TCP segment; 0 for anything else
};

/// nullopt unless `packet` is one whole IPv4 packet.
std::optional<PacketInfo> parse_packet(std::span<const std::byte> packet);

}  // namespace wan::lab
