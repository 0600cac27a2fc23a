// SPDX-License-Identifier: BSD-3-Clause
// Pictures by gnuplot.
#pragma once

#include <string>
#include <vector>

namespace wan::bench {

/// One picture in the making.
struct Picture {
  std::string path;  ///< without its ending
  std::string script;
  int width = 0, height = 0;
};

/// Draws it as SVG and as PNG, leaving the script at `path`.gp. Returns the pictures' paths; none where
/// gnuplot fails, which is then said on standard error.
std::vector<std::string> draw(const Picture& picture);

/// Draws a script over CSV files as SVG alone.
void draw_csv(const Picture& picture);

/// gnuplot's quotes around `text`.
std::string quoted(const std::string& text);

/// The colour of the peer of this number.
const char* color(std::size_t peer);

}  // namespace wan::bench
