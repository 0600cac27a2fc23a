// SPDX-License-Identifier: BSD-3-Clause
// broadcast-trees: the trees of algo/trees/broadcast_*.h over what papers/000 (Mateescu & Taylor) and
// papers/002 (Liu) report. It prints tables and leaves them as CSV with two plots. See README.md beside this
// file. Deterministic but for its last table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "bench/papers/figure_one.h"
#include "bench/papers/random_study.h"

int main(int argc, char** argv) {
  CLI::App app("Compares broadcast trees with each other and with the optimum", "broadcast-trees");
  wan::bench::StudySize size;
  std::string directory = "broadcast-trees-results";
  app.add_option("--graphs", size.graphs, "random graphs of each family and number of nodes")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--seed", size.seed, "of the random graphs")->capture_default_str();
  app.add_option("--output", directory, "folder for CSV and plots")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    fmt::print(stderr, "broadcast-trees: {}: {}\n", directory, error.message());
    return 2;
  }
  wan::bench::run_figure_one(directory);
  wan::bench::run_random_study(size, directory);
  wan::bench::time_best_tree(size.seed);
}
