// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/frame.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "bench/lab/system.h"

namespace wan::lab {

HardwareAddress HardwareAddress::of(std::uint32_t address) {
  const auto byte = [address](int shift) { return static_cast<std::uint8_t>(address >> shift & 0xff); };
  return {{0x02, 0x00, byte(24), byte(16), byte(8), byte(0)}};
}

std::string HardwareAddress::text() const {
  return fmt::format("{:02x}", fmt::join(bytes, ":"));
}

std::uint32_t ipv4_address(const std::string& dotted) {
  in_addr address{};
  if (::inet_pton(AF_INET, dotted.c_str(), &address) != 1)
    throw LabError(fmt::format("'{}' is no IPv4 address", dotted));
  return ntohl(address.s_addr);
}

std::span<const std::byte> packet_in(std::span<const std::byte> frame) {
  return frame.size() < kFrameHeader ? std::span<const std::byte>() : frame.subspan(kFrameHeader);
}

void address_frame(std::span<std::byte> frame, const HardwareAddress& to, const HardwareAddress& from) {
  std::memcpy(frame.data(), to.bytes.data(), to.bytes.size());
  std::memcpy(frame.data() + to.bytes.size(), from.bytes.data(), from.bytes.size());
}

}  // namespace wan::lab
