// SPDX-License-Identifier: BSD-3-Clause
// A block of IPv4 or IPv6 addresses: "10.20.0.0/16", "fd00:1::/32", or one address without a slash.
// Invariant: no bit of the address after the prefix is set. Immutable. Tested by
// tests/unit/topo_host_pattern.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wan {

class AddressBlock {
 public:
  /// True if `text` can only be meant as an address or a block: it has a slash or a colon, or is an IPv4
  /// address.
  static bool looks_like(std::string_view text);
  /// The error carries only `value` and `remedy`.
  static Result<AddressBlock> parse(std::string_view text);

  /// True if `address` is the text of an address of the block; false for any other text.
  bool contains(std::string_view address) const;

 private:
  AddressBlock(std::vector<std::uint8_t> address, int prefix_bits)
      : address_(std::move(address)), prefix_bits_(prefix_bits) {}

  std::vector<std::uint8_t> address_;  ///< 4 or 16 bytes, network order
  int prefix_bits_ = 0;
};

}  // namespace wan
