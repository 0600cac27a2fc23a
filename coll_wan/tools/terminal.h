// SPDX-License-Identifier: BSD-3-Clause
// Colours, where a person reads: on a terminal that has some, unless NO_COLOR is set (no-color.org).
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace wan::tools {

enum class Color : int { red = 31, green = 32, yellow = 33, bold = 1 };

inline bool has_colors(std::FILE* stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !(refused && *refused) && terminal && std::string_view(terminal) != "dumb" &&
         ::isatty(::fileno(stream)) == 1;
}

/// `text`, coloured if `stream` has colours.
inline std::string colored(std::FILE* stream, Color color, std::string_view text) {
  if (!has_colors(stream)) return std::string(text);
  return "\x1b[" + std::to_string(static_cast<int>(color)) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace wan::tools
