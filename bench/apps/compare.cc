// SPDX-License-Identifier: BSD-3-Clause
// wan-apps-compare: the applications for each peer over the same emulated sites, one peer after the other and
// that several times. Prints a table; writes CSV, the measurements, logs and plots into a directory.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/apps/app_passes.h"

namespace wan::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "wan-apps-compare";

struct Options {
  std::string setting = "uniform", topology;
  std::vector<std::string> apps;  ///< empty: the setting's
  Rounds rounds;
  PassOptions passes{.peers = {"stock", "han", "coll_wan"}, .output = "wan-apps-results"};
};

void define_options(CLI::App& app, Options& options) {
  app.add_option("--setting", options.setting, "uniform, magpie or unequal: sites and problems")
      ->capture_default_str();
  app.add_option("--topology", options.topology, "topology file, instead of the setting's");
  app.add_option("--apps", options.apps, "some of asp,qr,cg,training-4,training-64")->delimiter(',');
  app.add_option("--repetitions", options.rounds.repetitions, "of each application in each pass")
      ->check(CLI::Range(1, 1'000));
  app.add_option("--warm-up", options.rounds.warm_up, "rounds before them")->check(CLI::Range(0, 100));
  define(app, options.passes);
}

Result<AppSetting> setting_of(const Options& options) {
  AppSetting setting;
  for (const AppSetting& each : app_settings(options.passes.presets)) {
    if (each.name == options.setting) setting = each;
  }
  if (setting.runs.empty())
    return tl::unexpected(
        InputError{"--setting", 0, "", options.setting, "expected uniform, magpie or unequal"});
  if (options.passes.local_ranks > 0) setting.runs = small_runs();
  if (!options.topology.empty()) setting.topology = options.topology;
  return setting;
}

/// The applications that the user names; without names, all that were built.
Result<std::vector<AppRun>> runs_of(const Options& options, const std::vector<AppRun>& known) {
  std::vector<AppRun> wanted;
  for (const std::string& name : options.apps) {
    const auto found = std::ranges::find(known, name, &AppRun::name);
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const AppRun& run : known) names.push_back(run.name);
      return tl::unexpected(InputError{"--apps", 0, "", name, "expected some of " + joined(names)});
    }
    wanted.push_back(*found);
  }
  return options.apps.empty() ? known : wanted;
}

/// Says so if an application was not built.
bool is_built(const PassOptions& options, const AppRun& run) {
  const std::string file = program_file(options, run);
  if (fs::exists(file)) return true;
  fmt::print("{} is left out: {} was not built (configure says why)\n", run.name, file);
  return false;
}

/// Says what misses the goal; the exit status.
int judge(const std::vector<AppComparison>& comparisons, const PassOptions& passes) {
  const auto goal = passes.local_ranks > 0 ? std::nullopt : std::optional(kLeastSpeedup);
  const std::vector<std::string> lines = misses(comparisons, passes.peers, goal);
  for (const std::string& line : lines) fmt::print("missed: {}\n", line);
  fmt::print("{} goals missed by {} applications\n", lines.size(), comparisons.size());
  return lines.empty() ? 0 : 1;
}

/// Prints and writes what was measured. The exit status: 1 where a peer is missing, has a wrong result or
/// misses the goal.
int report(const Options& options, const AppSetting& setting, const std::vector<AppComparison>& comparisons) {
  const PassOptions& passes = options.passes;
  const std::string table = to_table(comparisons, passes.peers);
  std::ofstream(passes.output + "/table.txt") << table;
  std::ofstream(passes.output + "/table.csv") << to_csv(comparisons, passes.peers);
  fmt::print("\n{}\n", table);
  const std::string title =
      passes.local_ranks > 0 ? "one machine" : fs::path(setting.topology).stem().string();
  for (const std::string& path : draw_apps(comparisons, passes.peers, title, passes.output))
    fmt::print("{}\n", path);
  return judge(comparisons, passes);
}

int run(Options options) {
  fill_in_directories(options.passes);
  const Result<AppSetting> setting = setting_of(options);
  if (!setting) return complain(kName, setting.error());
  const Result<std::vector<AppRun>> runs = runs_of(options, setting->runs);
  if (!runs) return complain(kName, runs.error());
  const Result<std::vector<Peer>> peers = peers_of(options.passes);
  if (!peers) return complain(kName, peers.error());
  std::vector<AppComparison> comparisons;
  for (const AppRun& run : *runs) {
    if (!is_built(options.passes, run)) continue;
    Result<AppComparison> comparison =
        compare_app(options.passes, options.rounds, *peers, {setting->topology, ""}, run.name, run);
    if (!comparison) return complain(kName, comparison.error());
    comparisons.push_back(std::move(*comparison));
  }
  return report(options, *setting, comparisons);
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Compares applications over Open MPI's collectives with coll_wan's, over emulated sites",
               "wan-apps-compare");
  wan::bench::Options options;
  wan::bench::define_options(app, options);
  CLI11_PARSE(app, argc, argv);
  return wan::bench::run(options);
}
