// SPDX-License-Identifier: BSD-3-Clause
// Address blocks in CIDR notation. Pure functions; no threads. Tested by tests/unit/topo_host_pattern.cc and
// tests/fuzz/topo_host_pattern.cc.
#include "topo/address_block.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace wan {
namespace {

using AddressBytes = std::vector<std::uint8_t>;
constexpr std::size_t kIpv4Bytes = 4, kIpv6Bytes = 16;

constexpr const char* kAddressExpected =
    R"(expected an address or a block of addresses such as "10.20.0.0/16" or "fd00:1::/32")";

std::optional<AddressBytes> parse_address(std::string_view text) {
  const std::string terminated(text);
  const bool holds_nul = terminated.find('\0') != terminated.npos;
  if (holds_nul) return std::nullopt;
  AddressBytes bytes(kIpv6Bytes);
  if (inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) return bytes;
  bytes.resize(kIpv4Bytes);
  if (inet_pton(AF_INET, terminated.c_str(), bytes.data()) == 1) return bytes;
  return std::nullopt;
}

std::string address_text(const AddressBytes& bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(bytes.size() == kIpv4Bytes ? AF_INET : AF_INET6, bytes.data(), text, sizeof text);
  return text;
}

/// `bytes` with every bit after the first `bits` cleared.
AddressBytes network_part(AddressBytes bytes, int bits) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int kept = std::clamp(bits - 8 * static_cast<int>(i), 0, 8);
    bytes[i] = static_cast<std::uint8_t>(bytes[i] & (0xff00 >> kept));
  }
  return bytes;
}

/// The number after the slash, 0 to `most`.
std::optional<int> parse_prefix_bits(std::string_view text, int most) {
  int bits = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || bits < 0 || bits > most) return std::nullopt;
  return bits;
}

}  // namespace

bool AddressBlock::looks_like(std::string_view text) {
  return text.find_first_of("/:") != text.npos || parse_address(text).has_value();
}

Result<AddressBlock> AddressBlock::parse(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return bad_value(text, kAddressExpected);
  const int all_bits = 8 * static_cast<int>(address->size());
  if (slash == text.npos) return AddressBlock(*address, all_bits);
  const auto bits = parse_prefix_bits(text.substr(slash + 1), all_bits);
  if (!bits)
    return bad_value(text,
                     "expected a prefix length from 0 to " + std::to_string(all_bits) + " after the slash");
  const AddressBytes network = network_part(*address, *bits);
  if (network != *address)
    return bad_value(text, "the address has bits set after the prefix; the block that holds it is \"" +
                               address_text(network) + "/" + std::to_string(*bits) + "\"");
  return AddressBlock(network, *bits);
}

bool AddressBlock::contains(std::string_view address) const {
  const auto bytes = parse_address(address);
  return bytes && network_part(*bytes, prefix_bits_) == address_;
}

}  // namespace wan
