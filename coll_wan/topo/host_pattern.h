// SPDX-License-Identifier: BSD-3-Clause
// One entry of `hosts = [...]`: a name pattern ("par-[01-64]", "tky*", "node[1,3-5].example.org") or a CIDR
// block ("10.20.0.0/16", "fd00:1::/32").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace wan {

class HostPattern {
 public:
  /// The error carries only `value` and `remedy`; the caller adds file, line and key.
  static Result<HostPattern> parse(std::string_view text);

  /// True if the host name matches, or one of the addresses lies in the block.
  /// A pattern without a dot also matches the first label of a fully qualified name. Names compare without
  /// case.
  bool matches(std::string_view host, std::span<const std::string> addresses) const;

  /// The host names that the pattern lists, in order; empty where it cannot be enumerated ('*', CIDR).
  std::vector<std::string> enumerate() const;

  const std::string& text() const { return text_; }

 private:
  struct NumberRange {
    std::uint64_t first = 0, last = 0;
    int width = 0;  ///< 0: not zero-padded
  };
  struct Numbers {
    std::vector<NumberRange> ranges;
  };
  struct Any {};
  using Piece = std::variant<std::string, Numbers, Any>;
  struct Block {
    std::vector<std::uint8_t> address;
    int prefix_bits = 0;
  };

  std::string text_;
  std::vector<Piece> pieces_;   ///< a name pattern
  std::optional<Block> block_;  ///< or a CIDR block
};

}  // namespace wan
