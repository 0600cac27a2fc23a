// SPDX-License-Identifier: BSD-3-Clause
#include "bench/papers/figure_one.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <vector>

#include "algo/trees/broadcast_builders.h"
#include "algo/trees/broadcast_search.h"
#include "bench/common/gnuplot.h"

namespace wan::bench {
namespace {

constexpr Nanoseconds kWeight = 1'000'000;
constexpr int kStepsPerUnit = 40, kStepsPerLine = 10;  ///< of the injection time; lines of the table
constexpr NodeIndex kNodes = 6;

const char* const kColumns = "injection,star,two_levels,extended_shortest_path,earliest_completion,best";

BroadcastTree two_levels() {
  const std::vector<NodeIndex> parents{-1, 0, 0, 0, 1, 1};
  return {0, parents};
}

/// As kColumns.
std::vector<double> times_at(Nanoseconds injection_ns) {
  const ClusterGraph graph(std::vector<NodeSpeed>(kNodes, {injection_ns, kWeight}), 0);
  std::vector<double> row{static_cast<double>(injection_ns) / kWeight};
  for (const BroadcastTree& tree :
       {shaped_tree(TreeShape::flat, 2, kNodes, 0), two_levels(), extended_shortest_path(graph, 0),
        earliest_completion(graph, 0), best_tree(graph, 0)})
    row.push_back(static_cast<double>(completion_time(graph, tree)) / kWeight);
  return row;
}

void draw(const std::string& path) {
  const std::string script =
      "set title 'Broadcast to five nodes, all weights 1 (Mateescu and Taylor, figure 1)'\n"
      "set xlabel 'injection time Δ'\nset ylabel 'completion time'\nset key top left reverse Left\n"
      "set yrange [0:*]\nset arrow from 0.5,0 to 0.5,3.5 nohead dt 3 lc rgb '#808080'\n"
      "plot '" +
      path +
      ".csv' using 1:4 with lines lw 7 lc rgb '#f5d9a0' title 'extended shortest path', "
      "'' using 1:2 with lines lw 2 lc rgb '#d1495b' title 'star: 1 + 5Δ', "
      "'' using 1:3 with lines lw 2 lc rgb '#6f8fb5' title 'two levels: 2 + 3Δ', "
      "'' using 1:5 with lines lw 3 lc rgb '#3f7d5c' title 'earliest completion', "
      "'' using 1:6 with lines lw 1.5 dt 2 lc rgb 'black' title 'best tree (the optimum)'\n";
  draw_csv({path, script, 760, 460});
}

}  // namespace

void run_figure_one(const std::string& directory) {
  const std::string path = directory + "/figure-one";
  std::ofstream csv(path + ".csv");
  csv << kColumns << '\n';
  fmt::print("Figure 1 of papers/000: completion of six nodes, in units of the weight\n{}\n", kColumns);
  for (int step = 0; step <= 2 * kStepsPerUnit; ++step) {
    const std::string line =
        fmt::format("{:.3f}\n", fmt::join(times_at(step * kWeight / kStepsPerUnit), ","));
    csv << line;
    if (step % kStepsPerLine == 0) fmt::print("{}", line);
  }
  csv.close();
  draw(path);
}

}  // namespace wan::bench
