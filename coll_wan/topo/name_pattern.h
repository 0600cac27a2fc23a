// SPDX-License-Identifier: BSD-3-Clause
// A pattern over host names: letters, digits, '-', '_' and '.' stand for themselves (case does not count),
// '*' for any text, "[01-64,70]" for a number, with as many digits as written where it starts with 0.
// Immutable. Tested by tests/unit/topo_host_pattern.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace wan {

class NamePattern {
 public:
  /// The error carries only `value` and `remedy`.
  static Result<NamePattern> parse(std::string_view text);

  /// True if the whole of `name` matches. Time at most pattern length x name length squared.
  bool matches(std::string_view name) const;

  /// The names that the pattern lists, in its order, each once; empty where it holds a '*' or lists more than
  /// 65,536.
  std::vector<std::string> enumerate() const;

  /// "first-last", or one number.
  struct NumberRange {
    std::uint64_t first = 0, last = 0;
    std::size_t width = 0;  ///< digits of a zero-padded range; 0: not padded
  };
  using Numbers = std::vector<NumberRange>;
  struct Any {};
  using Piece = std::variant<std::string, Numbers, Any>;

 private:
  explicit NamePattern(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

  std::vector<Piece> pieces_;
};

}  // namespace wan
