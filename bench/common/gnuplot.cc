// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/gnuplot.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "bench/common/command.h"

namespace wan::bench {
namespace {

constexpr int kSeconds = 60;
constexpr const char* kColors[] = {"#b0b0b0", "#6f8fb5", "#d1495b", "#3f7d5c", "#edae49"};

bool run_gnuplot(const std::string& path, const std::string& script) {
  std::ofstream(path + ".gp") << script;
  if (run_command({"gnuplot", path + ".gp"}, path + ".log", kSeconds) == 0) return true;
  fmt::print(stderr, "no picture {}; {}.log says why\n", path, path);
  return false;
}

std::string svg_terminal(const Picture& picture) {
  return fmt::format(
      "set terminal svg size {},{} font 'Helvetica,13' background rgb 'white'\nset output '{}.svg'\n",
      picture.width, picture.height, picture.path);
}

std::string png_terminal(const Picture& picture) {
  return fmt::format("set terminal pngcairo size {},{} font 'Helvetica,11'\nset output '{}.png'\n",
                     picture.width, picture.height, picture.path);
}

}  // namespace

std::vector<std::string> draw(const Picture& picture) {
  const std::string script =
      svg_terminal(picture) + picture.script + "\n" + png_terminal(picture) + picture.script + "\n";
  if (!run_gnuplot(picture.path, script)) return {};
  return {picture.path + ".svg", picture.path + ".png"};
}

void draw_csv(const Picture& picture) {
  run_gnuplot(picture.path,
              svg_terminal(picture) +
                  "set datafile separator ','\nset datafile columnheaders\nset tics nomirror\nset border 3\n"
                  "set grid y lc rgb '#e0e0e0'\n" +
                  picture.script);
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

const char* color(std::size_t peer) {
  return kColors[peer % std::size(kColors)];
}

}  // namespace wan::bench
