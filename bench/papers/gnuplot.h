// SPDX-License-Identifier: BSD-3-Clause
// Pictures by gnuplot.
#pragma once

#include <string>

namespace wan::bench {

/// Draws `script` as `path`.svg of this size, leaving the script at `path`.gp. Says so on standard error
/// where gnuplot fails.
void draw_svg(const std::string& path, int width, int height, const std::string& script);

}  // namespace wan::bench
