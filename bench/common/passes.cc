// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/passes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wan::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPeers =
    "some of stock,tuned,han,coll_wan,reproducible, each as it is or with -ucx or -ofi behind";
constexpr int kLocalSites = 3;  ///< labels where there are no sites

/// The top of the build tree: this program lies two directories below it.
std::string build_directory() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Words launcher(const PassOptions& options, const Place& place) {
  if (options.local_ranks > 0) return on_this_machine(options.local_ranks);
  return over_sites(options.build + "/bench/lab/wan-lab", place.topology, place.ranks, place.lab);
}

/// The command line of one peer.
Words command_of(const PassOptions& options, const Peer& peer, const Place& place, const Words& program) {
  Words words = launcher(options, place);
  const auto append = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  append(peer.mpirun_options);
  append(peer.wrapper);
  if (options.local_ranks > 0) append(labelled_in_turn(kLocalSites));
  append(program);
  return words;
}

}  // namespace

std::string run_logged(const Words& words, const std::string& base, int seconds) {
  std::ofstream(base + ".log") << fmt::format("{}\n", fmt::join(words, " "));
  const int status = run_command(words, base + ".log", seconds);
  return status == 0 ? "" : fmt::format("ended with status {}, see {}.log", status, base);
}

void define(CLI::App& app, PassOptions& options) {
  app.add_option("--peers", options.peers,
                 std::string(kPeers) +
                     " (over UCX or libfabric); reproducible is coll_wan with coll_wan_reproducible; the "
                     "last is compared with the others")
      ->delimiter(',');
  app.add_option("--passes", options.passes, "how often each peer has its turn")->check(CLI::Range(1, 1000));
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

void fill_in_directories(PassOptions& options) {
  if (options.build.empty()) options.build = build_directory();
  if (options.presets.empty()) options.presets = WAN_PRESETS;
  const fs::path built = fs::path(options.build) / ".libs";
  if (options.component.empty() && fs::exists(built / "mca_coll_wan.so")) options.component = built;
  options.output = fs::absolute(options.output);
}

Result<std::vector<Peer>> peers_of(const PassOptions& options) {
  std::vector<Peer> wanted;
  const std::vector<Peer> known = known_peers(options.component);
  for (const std::string& name : options.peers) {
    const auto found = std::ranges::find(known, name, &Peer::name);
    if (found == known.end())
      return tl::unexpected(InputError{"--peers", 0, "", name, std::string("expected ") + kPeers});
    wanted.push_back(*found);
  }
  return wanted;
}

namespace {

/// Runs one peer once; says who runs before, and for how long and how it failed after.
void run_pass(const std::string& who, const Words& words, const std::string& base, int seconds) {
  fmt::print("{}: ", who);
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const std::string failure = run_logged(words, base, seconds);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  fmt::print("{:.0f} s{}{}\n", elapsed.count(), failure.empty() ? "" : ", ", failure);
}

}  // namespace

Result<void> run_passes(const PassOptions& options, const std::vector<Peer>& peers, const Place& place,
                        const std::string& name, const Program& program, const Take& take) {
  fs::create_directories(options.output);
  const std::string prefix = name.empty() ? "" : name + "-";
  for (int pass = 1; pass <= options.passes; ++pass) {
    for (const Peer& peer : peers) {
      const std::string base = fmt::format("{}/{}{}-{}", options.output, prefix, peer.name, pass);
      const std::string rows = base + ".csv";
      fs::remove(rows);
      run_pass(fmt::format("{}{}{} (pass {} of {})", name, name.empty() ? "" : " ", peer.name, pass,
                           options.passes),
               command_of(options, peer, place, program(rows)), base, options.seconds);
      if (auto taken = take(peer.name, read(rows), rows); !taken) return taken;
    }
  }
  return {};
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ","));
}

int complain(const std::string& program, const InputError& error) {
  fmt::print(stderr, "{}: {}\n", program, error.message());
  return 2;
}

}  // namespace wan::bench
