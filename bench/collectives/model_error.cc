// SPDX-License-Identifier: BSD-3-Clause
// wan-model-error: how far the cost model is off, over several settings that wan-bench-compare has measured.
// Predicts their cells anew; prints a table and the median errors, draws one picture.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/collectives/error_plot.h"
#include "bench/collectives/prediction.h"
#include "bench/collectives/settings.h"
#include "bench/collectives/table.h"
#include "bench/common/passes.h"

namespace wan::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "wan-model-error";

struct Options {
  std::vector<std::string> runs;
  std::string output = "wan-bench-results", presets = WAN_PRESETS;
};

/// A setting, and where its measurements lie.
struct Run {
  Setting setting;
  std::string directory;
};

Result<Run> run_of(const std::string& text, const std::string& presets) {
  const std::size_t equals = text.find('=');
  for (const Setting& setting : settings(presets))
    if (equals != text.npos && setting.name == text.substr(0, equals))
      return Run{setting, text.substr(equals + 1)};
  return tl::unexpected(
      InputError{"RUN", 0, "", text, "expected SETTING=DIRECTORY such as uniform-sizes=wan-bench-results"});
}

/// The cells of all passes with their predictions.
Result<std::vector<Comparison>> comparisons_of(const Run& run, const Machine& machine) {
  Collection collection;
  std::vector<std::string> hosts;
  for (int pass = 1;; ++pass) {
    const std::string path = fmt::format("{}/{}-{}.csv", run.directory, kPredicted, pass);
    if (pass > 1 && !fs::exists(path)) break;
    const Result<Output> output = load_output(path);
    if (!output) return tl::unexpected(output.error());
    hosts = output->hosts;
    collection.add(kPredicted, output->rows);
  }
  const Result<SiteFile> file = SiteFile::load(run.setting.plan.topology);
  if (!file) return tl::unexpected(file.error());
  const Result<Topology> topology = topology_of(hosts, *file);
  if (!topology) return tl::unexpected(topology.error());
  std::vector<Comparison> comparisons = collection.comparisons();
  add_bounds(comparisons, *topology);
  add_predictions(comparisons, Model(*topology, machine));
  return comparisons;
}

void print_error(const std::string& of, const std::vector<Comparison>& comparisons) {
  if (const auto error = median_error(comparisons))
    fmt::print("{}: median error {:.1f} % over {} cells\n", of, 100 * *error, comparisons.size());
}

int show(const Options& options) {
  std::vector<Comparison> all;
  for (const std::string& text : options.runs) {
    const Result<Run> run = run_of(text, options.presets);
    if (!run) return complain(kName, run.error());
    const Result<Machine> machine = lab_machine(run->directory + "/machine.csv");
    if (!machine) return complain(kName, machine.error());
    const auto comparisons = comparisons_of(*run, *machine);
    if (!comparisons) return complain(kName, comparisons.error());
    fmt::print("{}\n", to_table(*comparisons, {kPredicted}));
    print_error(std::string(run->setting.name), *comparisons);
    all.insert(all.end(), comparisons->begin(), comparisons->end());
  }
  print_error("all", all);
  fs::create_directories(options.output);
  for (const std::string& path : draw_model_error(all, "all settings", fs::absolute(options.output)))
    fmt::print("{}\n", path);
  return 0;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("The error of the cost model over measured settings", "wan-model-error");
  wan::bench::Options options;
  app.add_option("runs", options.runs,
                 "SETTING=DIRECTORY, the --output of a wan-bench-compare --setting SETTING")
      ->required();
  app.add_option("--output", options.output, "directory for model-error.svg")->capture_default_str();
  app.add_option("--presets", options.presets, "directory of the settings' topology files");
  CLI11_PARSE(app, argc, argv);
  return wan::bench::show(options);
}
