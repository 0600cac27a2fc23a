// SPDX-License-Identifier: BSD-3-Clause
// Where the agent of a host can be reached by the agents of others. Plain data and pure functions. Tested by
// tests/unit/probe_wire.cc and tests/fuzz/probe_wire.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wan::probe {

struct Endpoint {
  std::uint16_t port = 0;
  std::string key;                     ///< what a caller must know: lower-case letters and digits, not empty
  std::vector<std::string> addresses;  ///< IPv4 or IPv6, as text; not empty

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// A text without line ends.
std::string encode(const Endpoint& endpoint);
/// nullopt if `text` is not what encode() makes.
std::optional<Endpoint> decode_endpoint(std::string_view text);

}  // namespace wan::probe
