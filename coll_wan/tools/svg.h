// SPDX-License-Identifier: BSD-3-Clause
// What the pictures share: the colours of sites, and text inside SVG.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>

namespace wan::tools {

inline constexpr const char* kSiteColors[] = {"#c2410c", "#6d28d9", "#0e7490", "#a16207",
                                              "#be185d", "#4d7c0f", "#1d4ed8", "#57534e"};

/// The colour of the site of this number; there are eight.
inline const char* site_color(std::size_t site) {
  return kSiteColors[site % std::size(kSiteColors)];
}

inline std::string escaped(const std::string& text) {
  std::string result;
  for (const char each : text) {
    if (each == '&')
      result += "&amp;";
    else if (each == '<')
      result += "&lt;";
    else if (each == '>')
      result += "&gt;";
    else
      result += each;
  }
  return result;
}

}  // namespace wan::tools
