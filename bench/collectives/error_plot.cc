// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/error_plot.h"

#include <fmt/format.h>

#include <fstream>
#include <limits>

#include "bench/collectives/prediction.h"
#include "bench/collectives/table.h"
#include "bench/common/gnuplot.h"

namespace wan::bench {
namespace {

/// Cells of similar size, in one colour.
struct SizeClass {
  Bytes largest;  ///< of those that no earlier class has
  const char* name;
  const char* color;
};
constexpr SizeClass kClasses[] = {{1'024, "to 1 KiB", "#3f7d5c"},
                                  {16'384, "to 16 KiB", "#6f8fb5"},
                                  {131'072, "to 128 KiB", "#edae49"},
                                  {std::numeric_limits<Bytes>::max(), "longer", "#d1495b"}};

const SizeClass& class_of(Bytes bytes) {
  const SizeClass* found = kClasses;
  while (bytes > found->largest) ++found;
  return *found;
}

/// One index of gnuplot's data a class: predicted and measured, in milliseconds. A class without cells has a
/// point that is none.
std::string data_of(std::span<const Comparison> comparisons) {
  std::string data;
  for (const SizeClass& each : kClasses) {
    data += fmt::format("# {}\nNaN NaN\n", each.name);
    for (const Comparison& comparison : comparisons) {
      if (!comparison.error(kPredicted) || &class_of(comparison.cell.bytes) != &each) continue;
      data += fmt::format("{:.6f} {:.6f} # {} {}\n", static_cast<double>(comparison.predicted_ns) / 1e6,
                          static_cast<double>(comparison.of(kPredicted)->median_ns) / 1e6,
                          label(comparison.cell), comparison.cell.bytes);
    }
    data += "\n\n";
  }
  return data;
}

std::string script_of(const std::string& path, const std::string& title, double error) {
  std::string script = fmt::format(
      "set title {} noenhanced\nset logscale xy\nset xlabel 'predicted, ms'\nset ylabel 'measured, ms'\nset "
      "tics nomirror\n"
      "set xtics (5,10,20,50,100,200,500,1000,2000,5000)\nset ytics (5,10,20,50,100,200,500,1000,2000,5000)\n"
      "set border 3\nset grid lc rgb '#e0e0e0'\nset key top left reverse Left\nset size ratio 1\n"
      "stats '{}.dat' using 1:2 nooutput\nlow = 0.8*(STATS_min_x < STATS_min_y ? STATS_min_x : STATS_min_y)\n"
      "high = 1.25*(STATS_max_x > STATS_max_y ? STATS_max_x : STATS_max_y)\nset xrange [low:high]\nset "
      "yrange [low:high]\n"
      "plot '+' using ($1):($1/1.1):($1/0.9) with filledcurves lc rgb '#eeeeee' title 'prediction within 10 "
      "%', "
      "x with lines lc rgb 'black' dt 2 notitle",
      quoted(fmt::format("{}: median error {:.1f} %", title, 100 * error)), path);
  int index = 0;
  for (const SizeClass& each : kClasses)
    script +=
        fmt::format(", '{}.dat' index {} using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb '{}' title '{}'",
                    path, index++, each.color, each.name);
  return script + "\nunset logscale\nset size noratio\n";
}

}  // namespace

std::vector<std::string> draw_model_error(std::span<const Comparison> comparisons, const std::string& title,
                                          const std::string& directory) {
  const auto error = median_error(comparisons);
  if (!error) return {};
  const std::string path = directory + "/model-error";
  std::ofstream(path + ".dat") << data_of(comparisons);
  return draw({path, script_of(path, title, *error), 640, 640});
}

}  // namespace wan::bench
