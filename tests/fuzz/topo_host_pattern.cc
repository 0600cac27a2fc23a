// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any text is a pattern that matches what it enumerates, or a mistake with a remedy. Each line
// of the input after the first is a host name, and an address, to match.
#include <cstddef>
#include <cstdint>

#include "base/invariant.h"
#include "topo/host_pattern.h"

namespace {

constexpr std::size_t kMostNamesChecked = 200;

/// The lines of `text`; at least one.
std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> all(1);
  for (const char c : text) {
    if (c == '\n')
      all.emplace_back();
    else
      all.back().push_back(c);
  }
  return all;
}

void check_enumeration(const wan::HostPattern& pattern) {
  const auto names = pattern.enumerate();
  for (std::size_t i = 0; i < names.size(); i += 1 + names.size() / kMostNamesChecked) {
    const bool is_a_host_name = names[i].size() <= 255;
    if (is_a_host_name)
      wan::invariant(pattern.matches(names[i], {}), "a pattern does not match a name that it lists");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = lines({reinterpret_cast<const char*>(data), size});
  const auto pattern = wan::HostPattern::parse(input.front());
  if (!pattern) {
    wan::invariant(pattern.error().value == input.front(), "a mistake does not show the text");
    wan::invariant(!pattern.error().remedy.empty(), "a mistake has no remedy");
    return 0;
  }
  for (const std::string& host : input) pattern->matches(host, input);
  check_enumeration(*pattern);
  return 0;
}
