// SPDX-License-Identifier: BSD-3-Clause
// How the tests of tools/ look into a picture's text.
#pragma once

#include <string>
#include <string_view>

namespace wan::tools {

/// How often the text has `what`.
inline std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace wan::tools
