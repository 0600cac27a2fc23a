// SPDX-License-Identifier: BSD-3-Clause
// Text, line by line. Pure; no threads. Tested by tests/unit/base_lines.cc.
#pragma once

#include <algorithm>
#include <string_view>

namespace wan {

/// What stands between the words of a line.
inline constexpr std::string_view kBlank = " \t\r";

/// Takes the first line off `text`, without its end, which the last one may lack.
inline std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace wan
