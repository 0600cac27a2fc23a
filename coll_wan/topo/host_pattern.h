// SPDX-License-Identifier: BSD-3-Clause
// One entry of `hosts = [...]`: a name pattern ("par-[01-64]", "tky*", "node[1,3-5].example.org"), a CIDR
// block
// ("10.20.0.0/16", "fd00:1::/32") or one address. Immutable. Tested by tests/unit/topo_host_pattern.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "topo/address_block.h"
#include "topo/name_pattern.h"

namespace wan {

class HostPattern {
 public:
  /// The error carries only `value` and `remedy`; the caller adds file, line and key.
  static Result<HostPattern> parse(std::string_view text);

  /// True if the host name matches, or one of the addresses (or a host name that is an address) lies in the
  /// block. A pattern without a dot also matches the first label of a fully qualified name. Names compare
  /// without case.
  bool matches(std::string_view host, std::span<const std::string> addresses) const;

  /// The host names that the pattern lists, in order; empty where it cannot be enumerated ('*', more than
  /// 65,536 names, addresses).
  std::vector<std::string> enumerate() const;

  const std::string& text() const { return text_; }

 private:
  using Kind = std::variant<NamePattern, AddressBlock>;
  HostPattern(std::string_view text, Kind kind) : text_(text), kind_(std::move(kind)) {}

  std::string text_;
  Kind kind_;
};

/// True if one of the patterns matches.
bool any_matches(std::span<const HostPattern> patterns, std::string_view host,
                 std::span<const std::string> addresses);

}  // namespace wan
