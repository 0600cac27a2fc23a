// SPDX-License-Identifier: BSD-3-Clause
// Host patterns: names or addresses. Pure functions; no threads. Tested by tests/unit/topo_host_pattern.cc
// and tests/fuzz/topo_host_pattern.cc.
#include "topo/host_pattern.h"

#include <algorithm>

namespace wan {

Result<HostPattern> HostPattern::parse(std::string_view text) {
  const auto with_text = [text](auto kind) { return HostPattern(text, std::move(kind)); };
  if (AddressBlock::looks_like(text)) return AddressBlock::parse(text).map(with_text);
  return NamePattern::parse(text).map(with_text);
}

bool HostPattern::matches(std::string_view host, std::span<const std::string> addresses) const {
  if (const auto* block = std::get_if<AddressBlock>(&kind_)) {
    const auto inside = [block](std::string_view address) { return block->contains(address); };
    return inside(host) || std::ranges::any_of(addresses, inside);
  }
  const auto& name = std::get<NamePattern>(kind_);
  const auto first_label = host.substr(0, host.find('.'));  // only a pattern without a dot can match it
  return name.matches(host) || name.matches(first_label);
}

std::vector<std::string> HostPattern::enumerate() const {
  const auto* name = std::get_if<NamePattern>(&kind_);
  return name ? name->enumerate() : std::vector<std::string>{};
}

bool any_matches(std::span<const HostPattern> patterns, std::string_view host,
                 std::span<const std::string> addresses) {
  return std::ranges::any_of(patterns,
                             [&](const HostPattern& pattern) { return pattern.matches(host, addresses); });
}

}  // namespace wan
