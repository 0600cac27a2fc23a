// SPDX-License-Identifier: BSD-3-Clause
// The Ethernet frames between the sites and the emulator, which takes the part of each site's router. The
// hardware address of a host or router follows from its IPv4 address, so that nobody has to ask for
// another's. Pure. Tested by bench/lab/tests/emulator_test.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wan::lab {

/// Bytes before the IP packet: receiver, sender, kind.
inline constexpr std::size_t kFrameHeader = 14;

struct HardwareAddress {
  std::array<std::uint8_t, 6> bytes{};

  /// Of the owner of an IPv4 address (host byte order): 02:00 and its bytes.
  static HardwareAddress of(std::uint32_t address);
  /// "02:00:0a:01:ff:fe".
  std::string text() const;

  friend bool operator==(const HardwareAddress&, const HardwareAddress&) = default;
};

/// An IPv4 address in dotted form; throws LabError if it is none.
std::uint32_t ipv4_address(const std::string& dotted);

/// The IP packet in a frame; empty if the frame is too short.
std::span<const std::byte> packet_in(std::span<const std::byte> frame);

/// Writes receiver and sender into the frame's header.
void address_frame(std::span<std::byte> frame, const HardwareAddress& to, const HardwareAddress& from);

}  // namespace wan::lab
