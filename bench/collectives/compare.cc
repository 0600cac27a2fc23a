// SPDX-License-Identifier: BSD-3-Clause
// wan-bench-compare: the same cells for each peer over the same emulated sites, one peer after the other and
// that several times, next to the lower bound. Prints a table; writes CSV, the measurements, logs and plots
// into a directory.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "bench/collectives/command.h"
#include "bench/collectives/comparison.h"
#include "bench/collectives/plots.h"
#include "bench/collectives/settings.h"
#include "bench/collectives/table.h"

namespace wan::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kLocalSites = 3;  ///< labels where there are no sites

struct Options {
  std::string setting, output = "wan-bench-results";
  std::string topology;
  std::vector<std::string> collectives, forms, sizes, roots;  ///< empty: the setting's
  std::vector<std::string> peers{"tuned", "han", "coll_wan"};
  int passes = 2, repetitions = 11, warm_up = 2, seconds = 600;
  int local_ranks = 0;  ///< 0: over the sites of the topology file
  std::string build, presets, component;
};

void define(CLI::App& app, Options& options) {
  app.add_option("--setting", options.setting,
                 "uniform, magpie, unequal or cities: what to run, and what must come out");
  app.add_option("--topology", options.topology, "topology file, instead of the setting's");
  app.add_option("--collectives", options.collectives, "all, or names")->delimiter(',');
  app.add_option("--forms", options.forms, "all, or some of blocking,nonblocking,persistent")->delimiter(',');
  app.add_option("--sizes", options.sizes, "bytes")->delimiter(',');
  app.add_option("--roots", options.roots, "ranks; -1 is the last")->delimiter(',');
  app.add_option("--peers", options.peers,
                 "some of stock,tuned,han,coll_wan; the last is compared with the others")
      ->delimiter(',');
  app.add_option("--passes", options.passes, "how often each peer has its turn")->check(CLI::Range(1, 1000));
  app.add_option("--repetitions", options.repetitions, "of each cell in each pass")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--warm-up", options.warm_up, "rounds before them")->check(CLI::Range(0, 1000));
  app.add_option("--local", options.local_ranks,
                 "so many ranks on this machine, without a lab: times say nothing about a wide area")
      ->check(CLI::Range(1, 1000));
  app.add_option("--seconds", options.seconds, "at most for each peer and pass")
      ->check(CLI::Range(1, 86'400));
  app.add_option("--output", options.output, "directory for table, CSV, logs and plots")
      ->capture_default_str();
  app.add_option("--build", options.build, "top of the build tree [this program's]");
  app.add_option("--presets", options.presets, "directory of the settings' topology files");
  app.add_option("--component", options.component,
                 "directory of mca_coll_wan.so [.libs of the build directory]");
}

/// What an error is about goes to standard error; the exit status is 2.
int complain(const InputError& error) {
  fmt::print(stderr, "wan-bench-compare: {}\n", error.message());
  return 2;
}

/// The top of the build tree: this program is its bench/collectives/wan-bench-compare.
std::string build_directory() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
}

void fill_in_directories(Options& options) {
  if (options.build.empty()) options.build = build_directory();
  if (options.presets.empty()) options.presets = WAN_PRESETS;
  const fs::path built = fs::path(options.build) / ".libs";
  if (options.component.empty() && fs::exists(built / "mca_coll_wan.so")) options.component = built;
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
  std::vector<Setting> known = settings(options.presets);
  for (const Setting& setting : known) {
    if (setting.name == options.setting) plan = setting.plan;
  }
  if (!options.topology.empty()) plan.topology = options.topology;
  if (!options.topology.empty() || !options.sizes.empty()) plan.goal = {};  // it was for the setting's own
  if (plan.topology.empty() && options.local_ranks == 0) {
    return tl::unexpected(InputError{"--setting", 0, "", options.setting,
                                     "expected " + names_of(known) + ", or --topology FILE"});
  }
  replace(plan.collectives, options.collectives);
  replace(plan.forms, options.forms);
  replace(plan.sizes, options.sizes);
  replace(plan.roots, options.roots);
  return plan;
}

Result<std::vector<Peer>> peers_of(const Options& options) {
  std::vector<Peer> wanted;
  const std::vector<Peer> known = known_peers(options.component);
  for (const std::string& name : options.peers) {
    const auto found = std::ranges::find(known, name, &Peer::name);
    if (found == known.end())
      return tl::unexpected(InputError{"--peers", 0, "", name, "expected some of stock,tuned,han,coll_wan"});
    wanted.push_back(*found);
  }
  return wanted;
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ","));
}

Words launcher(const Options& options, const Plan& plan) {
  if (options.local_ranks > 0) return on_this_machine(options.local_ranks);
  return over_sites(options.build + "/bench/lab/wan-lab", plan.topology);
}

/// The command line of one peer's pass.
Words command_of(const Options& options, const Plan& plan, const Peer& peer, const std::string& rows) {
  Words words = launcher(options, plan);
  const auto append = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  append(peer.mpirun_options);
  append(peer.wrapper);
  if (options.local_ranks > 0) append(labelled_in_turn(kLocalSites));
  append({options.build + "/bench/collectives/wan-bench", "--collectives", joined(plan.collectives),
          "--forms", joined(plan.forms), "--sizes", joined(plan.sizes), "--roots", joined(plan.roots),
          "--repetitions", std::to_string(options.repetitions), "--warm-up", std::to_string(options.warm_up),
          "--real-time", "--output", rows});
  return words;
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Runs everything; keeps what was measured.
class Session {
 public:
  Session(const Options& options, const Plan& plan) : options_(options), plan_(plan) {}

  Result<void> run(const std::vector<Peer>& peers) {
    for (int pass = 1; pass <= options_.passes; ++pass) {
      for (const Peer& peer : peers) {
        if (auto done = run_pass(peer, pass); !done) return done;
      }
    }
    return {};
  }

  const std::vector<std::string>& hosts() const { return hosts_; }
  std::vector<Comparison> comparisons() const { return collection_.comparisons(); }

 private:
  Result<void> run_pass(const Peer& peer, int pass) {
    const std::string base = fmt::format("{}/{}-{}", options_.output, peer.name, pass);
    const Words words = command_of(options_, plan_, peer, base + ".csv");
    fmt::print("{} (pass {} of {})\n", peer.name, pass, options_.passes);
    std::fflush(stdout);
    fs::remove(base + ".csv");
    std::ofstream(base + ".log") << fmt::format("{}\n", fmt::join(words, " "));
    const int status = run_command(words, base + ".log", options_.seconds);
    if (status != 0) fmt::print("  ended with status {}: see {}.log\n", status, base);
    const Result<Output> output = parse_output(read(base + ".csv"), base + ".csv");
    if (!output) return tl::unexpected(output.error());
    if (!output->hosts.empty()) hosts_ = output->hosts;
    collection_.add(peer.name, output->rows);
    return {};
  }

  const Options& options_;
  const Plan& plan_;
  std::vector<std::string> hosts_;
  Collection collection_;
};

/// Says which cells miss the goal; the exit status.
int judge(const std::vector<Comparison>& comparisons, const Plan& plan, const std::string& peer) {
  if (plan.goal.tiers.empty() && !plan.goal.speedup) return 0;
  for (const Tier& tier : plan.goal.tiers) {
    const auto mean = mean_speedup(comparisons, plan.goal, tier, peer);
    if (mean && tier.mean_speedup) fmt::print("up to {} bytes: mean speed-up {:.2f}\n", tier.largest, *mean);
  }
  const std::vector<std::string> lines = misses(comparisons, plan.goal, peer);
  for (const std::string& line : lines) fmt::print("missed: {}\n", line);
  fmt::print("{} goals missed on {} cells\n", lines.size(), comparisons.size());
  return lines.empty() ? 0 : 1;
}

int report(const Options& options, const Plan& plan, const std::vector<Comparison>& comparisons) {
  const std::string table = to_table(comparisons, options.peers);
  std::ofstream(options.output + "/table.txt") << table;
  std::ofstream(options.output + "/table.csv") << to_csv(comparisons, options.peers);
  fmt::print("\n{}\n", table);
  if (options.local_ranks > 0) return 0;
  const std::string title = fs::path(plan.topology).stem();
  for (const std::string& path : draw(comparisons, options.peers, title, options.output)) {
    fmt::print("{}\n", path);
  }
  return judge(comparisons, plan, options.peers.back());
}

/// The bounds, for ranks on the hosts of a topology file.
Result<void> find_bounds(const Plan& plan, const std::vector<std::string>& hosts,
                         std::vector<Comparison>& comparisons) {
  const Result<SiteFile> file = SiteFile::load(plan.topology);
  if (!file) return tl::unexpected(file.error());
  const Result<Topology> topology = topology_of(hosts, *file);
  if (!topology) return tl::unexpected(topology.error());
  add_bounds(comparisons, *topology);
  return {};
}

int run(Options options) {
  fill_in_directories(options);
  const Result<Plan> plan = plan_of(options);
  if (!plan) return complain(plan.error());
  const Result<std::vector<Peer>> peers = peers_of(options);
  if (!peers) return complain(peers.error());
  options.output = fs::absolute(options.output);
  fs::create_directories(options.output);
  Session session(options, *plan);
  if (const Result<void> done = session.run(*peers); !done) return complain(done.error());
  std::vector<Comparison> comparisons = session.comparisons();
  if (comparisons.empty()) {
    return complain({options.output, 0, "", "", "nothing was measured; its logs say why"});
  }
  if (options.local_ranks > 0) return report(options, *plan, comparisons);
  const Result<void> bounds = find_bounds(*plan, session.hosts(), comparisons);
  return bounds ? report(options, *plan, comparisons) : complain(bounds.error());
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Compares collectives of Open MPI with coll_wan's over emulated sites", "wan-bench-compare");
  wan::bench::Options options;
  wan::bench::define(app, options);
  CLI11_PARSE(app, argc, argv);
  return wan::bench::run(options);
}
