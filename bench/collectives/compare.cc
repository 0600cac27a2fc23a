// SPDX-License-Identifier: BSD-3-Clause
// wan-bench-compare: the same cells for each peer over the same emulated sites, one peer after the other and
// that several times, next to the lower bound. Prints a table; writes CSV, the measurements, logs and plots
// into a directory.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/collectives/comparison.h"
#include "bench/collectives/error_plot.h"
#include "bench/collectives/guidelines.h"
#include "bench/collectives/plots.h"
#include "bench/collectives/prediction.h"
#include "bench/collectives/settings.h"
#include "bench/collectives/table.h"
#include "bench/common/passes.h"
#include "bench/lab/profiles.h"

namespace wan::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "wan-bench-compare";

struct Options {
  std::string setting;
  std::string topology;
  std::string groups = "none", operation = "predefined";
  Rank concentration = 1;
  std::vector<std::string> collectives, forms, sizes, roots;  ///< empty: the setting's
  int repetitions = 11, warm_up = 2;
  bool guidelines = false, mean = false;
  LabProfiles lab;
  PassOptions passes{.peers = {"tuned", "han", "coll_wan"}, .output = "wan-bench-results"};
};

void define_options(CLI::App& app, Options& options) {
  app.add_option("--setting", options.setting, "by name: what to run, and what must come out");
  app.add_option("--topology", options.topology, "topology file, instead of the setting's");
  app.add_option("--collectives", options.collectives, "all, or names")->delimiter(',');
  app.add_option("--forms", options.forms, "all, or some of blocking,nonblocking,persistent")->delimiter(',');
  app.add_option("--sizes", options.sizes, "bytes")->delimiter(',');
  app.add_option("--roots", options.roots, "ranks; -1 is the last")->delimiter(',');
  app.add_option("--groups", options.groups,
                 "halves or parity: between two groups of ranks, on an intercommunicator");
  app.add_option("--concentration", options.concentration,
                 "N: of vector forms every N-th rank alone has a block, N times as long")
      ->check(CLI::Range(1, 1'000));
  app.add_option("--operator", options.operation,
                 "predefined, or user: a function, of which MPI does not know what it loses")
      ->check(CLI::IsMember({"predefined", "user"}));
  app.add_option("--repetitions", options.repetitions, "of each cell in each pass")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--warm-up", options.warm_up, "rounds before them")->check(CLI::Range(0, 1000));
  app.add_option("--host-profile", options.lab.hosts, "of the lab: tuned, linux or small-buffers");
  app.add_option("--link-profile", options.lab.links, "of the lab: clean, lossy, shallow, jitter or shared");
  app.add_option("--queue", options.lab.queue, "of the lab: before a link, as wan-lab has it");
  app.add_flag("--mean", options.mean, "means of the repetitions in the place of medians");
  app.add_flag("--guidelines", options.guidelines,
               "also: is anything slower than what does the same by other calls?");
  define(app, options.passes);
}

void replace(std::vector<std::string>& value, const std::vector<std::string>& wish) {
  if (!wish.empty()) value = wish;
}

std::string names_of(const std::vector<Setting>& known) {
  std::string names;
  for (const Setting& setting : known) names += (names.empty() ? "" : ", ") + std::string(setting.name);
  return names;
}

/// The setting's plan with the user's wishes.
Result<Plan> plan_of(const Options& options) {
  Plan plan;
  std::vector<Setting> known = settings(options.passes.presets);
  for (const Setting& setting : known) {
    if (setting.name == options.setting) plan = setting.plan;
  }
  if (!options.topology.empty()) plan.topology = options.topology;
  const auto distribution = parse_distribution(options.groups, options.concentration);
  if (!distribution) return tl::unexpected(distribution.error());
  plan.distribution = *distribution;
  const bool is_as_set = options.topology.empty() && options.lab.hosts.empty() && options.lab.links.empty() &&
                         options.lab.queue.empty() && plan.distribution.is_plain();
  if (!is_as_set) plan.goal = {};  // it was for the setting's own sites
  if (plan.topology.empty() && options.passes.local_ranks == 0) {
    return tl::unexpected(InputError{"--setting", 0, "", options.setting,
                                     "expected " + names_of(known) + ", or --topology FILE"});
  }
  if (!options.lab.hosts.empty()) plan.lab.hosts = options.lab.hosts;
  if (!options.lab.links.empty()) plan.lab.links = options.lab.links;
  if (!options.lab.queue.empty()) plan.lab.queue = options.lab.queue;
  if (options.mean) plan.statistic = Statistic::mean;
  replace(plan.collectives, options.collectives);
  replace(plan.forms, options.forms);
  replace(plan.sizes, options.sizes);
  replace(plan.roots, options.roots);
  return plan;
}

/// wan-bench as the user wishes.
Words program_of(const Options& options, const Plan& plan, const std::string& rows) {
  return {options.passes.build + "/bench/collectives/wan-bench",
          "--collectives",
          joined(plan.collectives),
          "--forms",
          joined(plan.forms),
          "--sizes",
          joined(plan.sizes),
          "--roots",
          joined(plan.roots),
          "--repetitions",
          std::to_string(options.repetitions),
          "--warm-up",
          std::to_string(options.warm_up),
          "--groups",
          options.groups,
          "--concentration",
          std::to_string(options.concentration),
          "--operator",
          options.operation,
          "--real-time",
          "--output",
          rows};
}

/// Where somebody else sends over the links: what that keeps beside each peer, at least.
void report_others(const std::vector<Comparison>& comparisons, const std::vector<std::string>& peers) {
  for (const std::string& peer : peers)
    if (const auto kept = least_kept_by_others(comparisons, peer))
      fmt::print("beside {} somebody else keeps {:.2f} of a link, or more\n", peer, *kept);
}

/// Says which cells miss the goal; the exit status.
int judge(const std::vector<Comparison>& comparisons, const Plan& plan, const std::string& peer) {
  if (const auto median = median_in_bounds(comparisons, peer))
    fmt::print("median over the cells: {:.2f} x the bound\n", *median);
  if (plan.goal.tiers.empty() && !plan.goal.speedup) return 0;
  for (const Tier& tier : plan.goal.tiers) {
    const auto mean = mean_speedup(comparisons, plan.goal, tier, peer);
    if (mean && tier.mean_speedup) fmt::print("{}: mean speed-up {:.2f}\n", sizes_of(tier), *mean);
  }
  const std::vector<std::string> lines = misses(comparisons, plan.goal, peer);
  for (const std::string& line : lines) fmt::print("missed: {}\n", line);
  fmt::print("{} goals missed on {} cells\n", lines.size(), comparisons.size());
  return lines.empty() ? 0 : 1;
}

void report_model_error(const std::vector<Comparison>& comparisons, const std::string& title,
                        const std::string& directory) {
  const auto error = median_error(comparisons);
  if (!error) return;
  for (const std::string& path : draw_model_error(comparisons, title, directory)) fmt::print("{}\n", path);
  fmt::print("median error of the model: {:.1f} %\n", 100 * *error);
}

/// What was measured.
struct Measured {
  std::vector<std::string> hosts;  ///< of each rank
  std::vector<Comparison> comparisons;
};

void report_guidelines(const Options& options, const Measured& measured) {
  const std::string text = guidelines_report(check_guidelines(
      measured.comparisons, options.passes.peers.back(), static_cast<Rank>(measured.hosts.size())));
  std::ofstream(options.passes.output + "/guidelines.txt") << text;
  fmt::print("{}", text);
}

int report(const Options& options, const Plan& plan, const std::vector<Comparison>& comparisons) {
  const std::string table = to_table(comparisons, options.passes.peers);
  std::ofstream(options.passes.output + "/table.txt") << table;
  std::ofstream(options.passes.output + "/table.csv") << to_csv(comparisons, options.passes.peers);
  fmt::print("\n{}\n", table);
  if (options.passes.local_ranks > 0) return 0;
  const std::string title = fs::path(plan.topology).stem();
  for (const std::string& path : draw(comparisons, options.passes.peers, title, options.passes.output)) {
    fmt::print("{}\n", path);
  }
  report_model_error(comparisons, title, options.passes.output);
  report_others(comparisons, options.passes.peers);
  return judge(comparisons, plan, options.passes.peers.back());
}

Bytes mtu_of(const LabProfiles& profiles) {
  const lab::HostProfile* profile = lab::host_profile(profiles.hosts);
  return profile ? profile->mtu : lab::kHostProfiles.front().mtu;
}

/// Bounds and predictions, for ranks on the hosts of a topology file.
Result<void> find_theory(const Plan& plan, const std::string& machine_file,
                         const std::vector<std::string>& hosts, std::vector<Comparison>& comparisons) {
  const Result<Machine> machine = lab_machine(machine_file, mtu_of(plan.lab));
  if (!machine) return tl::unexpected(machine.error());
  const Result<SiteFile> file = SiteFile::load(plan.topology);
  if (!file) return tl::unexpected(file.error());
  const Result<Topology> topology = topology_of(hosts, *file);
  if (!topology) return tl::unexpected(topology.error());
  const Topology ours = plan.lab.are_shared() ? with_rates_divided(*topology, 2) : *topology;
  add_least_rate(comparisons, topology->network);
  add_bounds(comparisons, ours, plan.distribution);
  add_predictions(comparisons, Model(ours, *machine), plan.distribution);
  return {};
}

Result<Measured> measure(const Options& options, const Plan& plan, const std::vector<Peer>& peers) {
  Measured measured;
  Collection collection;
  const auto take = [&](const std::string& peer, const std::string& text,
                        const std::string& file) -> Result<void> {
    const Result<Output> output = parse_output(text, file);
    if (!output) return tl::unexpected(output.error());
    if (!output->hosts.empty()) measured.hosts = output->hosts;
    collection.add(peer, output->rows);
    return {};
  };
  const auto program = [&](const std::string& rows) { return program_of(options, plan, rows); };
  const auto done = run_passes(options.passes, peers, {plan.topology, "", plan.lab}, "", program, take);
  if (!done) return tl::unexpected(done.error());
  measured.comparisons = collection.comparisons(plan.statistic);
  return measured;
}

/// What a message costs here, which the predictions are made from.
std::string machine_file_of(const Options& options) {
  return options.passes.output + "/machine.csv";
}

void calibrate(const Options& options, const Plan& plan) {
  Words words = over_sites(options.passes.build + "/bench/lab/wan-lab", plan.topology, "", plan.lab);
  words.insert(words.end(), {options.passes.build + "/bench/calibrate/wan-calibrate", "--output",
                             machine_file_of(options)});
  fs::create_directories(options.passes.output);
  const std::string failure =
      run_logged(words, options.passes.output + "/calibration", options.passes.seconds);
  if (!failure.empty()) fmt::print("calibration: {}\n", failure);
}

int run(Options options) {
  fill_in_directories(options.passes);
  const Result<Plan> plan = plan_of(options);
  if (!plan) return complain(kName, plan.error());
  const Result<std::vector<Peer>> peers = peers_of(options.passes);
  if (!peers) return complain(kName, peers.error());
  if (options.passes.local_ranks == 0) calibrate(options, *plan);
  Result<Measured> measured = measure(options, *plan, *peers);
  if (!measured) return complain(kName, measured.error());
  std::vector<Comparison>& comparisons = measured->comparisons;
  if (options.guidelines) report_guidelines(options, *measured);
  if (comparisons.empty())
    return complain(kName, {options.passes.output, 0, "", "", "nothing was measured; its logs say why"});
  if (options.passes.local_ranks > 0) return report(options, *plan, comparisons);
  const Result<void> theory = find_theory(*plan, machine_file_of(options), measured->hosts, comparisons);
  return theory ? report(options, *plan, comparisons) : complain(kName, theory.error());
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Compares collectives of Open MPI with coll_wan's over emulated sites", "wan-bench-compare");
  wan::bench::Options options;
  wan::bench::define_options(app, options);
  CLI11_PARSE(app, argc, argv);
  return wan::bench::run(options);
}
