// SPDX-License-Identifier: BSD-3-Clause
#include "bench/papers/gnuplot.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "bench/collectives/command.h"

namespace wan::bench {

namespace {

constexpr int kSeconds = 60;

}  // namespace

void draw_svg(const std::string& path, int width, int height, const std::string& script) {
  const std::string settings = fmt::format(
      "set terminal svg size {},{} font 'Helvetica,13' background rgb 'white'\nset output '{}.svg'\n"
      "set datafile separator ','\nset datafile columnheaders\nset tics nomirror\nset border 3\n"
      "set grid y lc rgb '#e0e0e0'\n",
      width, height, path);
  std::ofstream(path + ".gp") << settings << script;
  if (run_command({"gnuplot", path + ".gp"}, path + ".log", kSeconds) != 0)
    fmt::print(stderr, "broadcast-trees: no picture; {}.log says why\n", path);
}

}  // namespace wan::bench
