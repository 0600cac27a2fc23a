// SPDX-License-Identifier: BSD-3-Clause
// wan-lab: runs a command over an emulated wide area (bench/lab/README.md).
// Tested by bench/lab/tests/lab_*_test.sh.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "bench/lab/control.h"
#include "bench/lab/job.h"
#include "bench/lab/lab.h"
#include "bench/lab/lab_directory.h"
#include "tools/usage_error.h"
#include "topo/quantity.h"

namespace wan::lab {
namespace {

using tools::UsageError;
using tools::value_of;

/// The command line of `wan-lab run`, as text.
struct RunOptions {
  std::string topology, ranks, hosts, loss, jitter, queue, host_rate, flow_rate, host_profile,
      link_profile = kLinkProfiles.front().name;
  std::optional<int> mtu, tcp_buffer;
  std::vector<std::string> reports;
  std::uint64_t seed = 1;
  bool force_user_namespace = false, any_rate = false;
  NetworkSettings network;
};

std::optional<PerSite> per_site(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  return value_of(PerSite::parse(text, option));
}

std::optional<int> percent_of(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  return value_of(parse_percent_ppm(text).map_error([option](InputError error) {
    error.file = option;
    return error;
  }));
}

std::optional<BytesPerSecond> rate_of(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  return value_of(parse_rate(text).map_error([option](InputError error) {
    error.file = option;
    return error;
  }));
}

LabWishes wishes_of(const RunOptions& options) {
  const LinkProfile& profile = *link_profile(options.link_profile);
  const auto or_else = [](std::optional<int> first, std::optional<int> second) {
    return first ? first : second;
  };
  LabWishes wishes;
  wishes.ranks = per_site(options.ranks, "--ranks");
  wishes.hosts = per_site(options.hosts, "--hosts");
  wishes.loss_ppm = or_else(percent_of(options.loss, "--loss"), profile.loss_ppm);
  wishes.seed = options.seed;
  wishes.jitter_ppm = percent_of(options.jitter, "--jitter").value_or(profile.jitter_ppm);
  wishes.queue_ppm = or_else(percent_of(options.queue, "--queue"), profile.queue_ppm);
  wishes.flow_rate = rate_of(options.flow_rate, "--flow-rate");
  wishes.has_other_traffic = profile.is_shared;
  return wishes;
}

HostProfile hosts_of(const RunOptions& options) {
  HostProfile profile =
      options.host_profile.empty() ? kHostProfiles.front() : *host_profile(options.host_profile);
  profile.mtu = options.mtu.value_or(profile.mtu);
  if (options.tcp_buffer)
    for (SocketBuffer* buffer : {&profile.receive, &profile.send})
      *buffer = buffer->with_largest(*options.tcp_buffer);
  return profile;
}

double megabytes(BytesPerSecond rate) {
  return static_cast<double>(rate) / 1e6;
}

/// A profile that is asked for promises times that are right.
void check_sum(const RunOptions& options, const LabPlan& plan) {
  if (options.host_profile.empty() || options.any_rate) return;
  const BytesPerSecond sum = fastest_sum(plan.fabric);
  if (sum > kFastestSum)
    throw UsageError(
        {"--host-profile", 0, "", options.host_profile,
         fmt::format(
             "its times are right for links of up to {:.0f} MB/s in sum, and those of {} carry {:.0f} MB/s; "
             "lower their rates, or allow it with --any-rate and see which packets the report counts as late",
             megabytes(kFastestSum), options.topology, megabytes(sum))});
}

ReportTarget open_report(const std::string& path) {
  const auto format = path.ends_with(".csv") ? ReportFormat::kCsv : ReportFormat::kJson;
  return {format, open_file(path, O_WRONLY | O_CREAT | O_TRUNC, 0644)};
}

Privilege privilege_for(const RunOptions& options) {
  const bool root = ::geteuid() == 0 && !options.force_user_namespace;
  return root ? Privilege::kRoot : Privilege::kUserNamespace;
}

int run(const RunOptions& options, std::vector<std::string> command) {
  const SiteFile file = value_of(SiteFile::load(options.topology));
  LabRun lab;
  lab.plan = value_of(plan_lab(file, options.topology, wishes_of(options)));
  check_sum(options, lab.plan);
  lab.network = options.network;
  lab.network.profile = hosts_of(options);
  lab.network.host_rate = rate_of(options.host_rate, "--host-rate");
  lab.topology_path = std::filesystem::absolute(options.topology);
  lab.privilege = privilege_for(options);
  for (const std::string& path : options.reports) lab.reports.push_back(open_report(path));
  lab.command = std::move(command);
  return run_lab(lab);
}

/// `wan-lab agent DIRECTORY HOST COMMAND...`: what the agent script in the lab's directory calls.
int enter(const std::vector<std::string>& words) {
  if (words.size() < 3) throw LabError("usage: wan-lab agent DIRECTORY HOST COMMAND...");
  const auto host = HostNamespaces::open(words[0], words[1]);
  become_shell_in(host, {words.begin() + 2, words.end()});
}

/// `wan-lab link SOCKET WORDS...`: what the link script in the lab's directory calls.
int change_link(const std::vector<std::string>& words) {
  if (words.empty()) throw LabError("usage: wan-lab link SOCKET WORDS...");
  const std::string mistake = ask_for_link(words[0], {words.begin() + 1, words.end()});
  if (mistake.empty()) return 0;
  fmt::print(stderr, "{}\n", mistake);
  return kExitUsage;
}

int down() {
  for (const std::string& path : remove_dead_labs()) fmt::print("removed {}\n", path);
  return 0;
}

template <class Profiles>
std::vector<std::string> names_of(const Profiles& profiles) {
  std::vector<std::string> names;
  for (const auto& profile : profiles) names.emplace_back(profile.name);
  return names;
}

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("--topology", options.topology, "topology file (TOML)")->required();
  app.add_option(
      "--ranks", options.ranks,
      "ranks a site: 4, or paris=7,tokyo=5 (sites not named take no part); without it, every host listed "
      "in the file takes the slots of its [[node]] entry, or 1");
  app.add_option("--hosts", options.hosts,
                 "hosts over which a site's ranks are spread: 3, or paris=3,tokyo=1 [2]");
  app.add_option("--report", options.reports,
                 "write packets and bytes of each directed pair of sites to FILE.json or FILE.csv");
  app.add_option("--loss", options.loss,
                 "packet loss of every link, such as \"0.1 %\", instead of the file's");
  app.add_option(
      "--jitter", options.jitter,
      "of the latency, such as \"20 %\", that packets take longer at most; it changes every 20 ms");
  app.add_option(
      "--queue", options.queue,
      "bytes that may wait before a link, such as \"25 %\" of what it has on its way in a round trip "
      "[twice that, at least 4 MiB]");
  app.add_option(
      "--flow-rate", options.flow_rate,
      "at which each TCP connection to another site sends, such as \"2 MB/s\" [as fast as it can]");
  app.add_option("--host-profile", options.host_profile,
                 "TCP and packets of the hosts: tuned, linux, small-buffers [tuned]")
      ->check(CLI::IsMember(names_of(kHostProfiles)));
  app.add_flag("--any-rate", options.any_rate,
               "also where links together carry more than the host profile's times are right for");
  app.add_option("--link-profile", options.link_profile,
                 "what the links are like: clean, lossy, shallow, jitter, shared")
      ->capture_default_str()
      ->check(CLI::IsMember(names_of(kLinkProfiles)));
  app.add_option("--host-rate", options.host_rate,
                 "at which each host sends, such as \"2 MB/s\" [as fast as it can]");
  app.add_option("--seed", options.seed, "seed of the losses and of the jitter")->capture_default_str();
  app.add_option("--tcp-congestion", options.network.tcp_congestion, "congestion control of the hosts")
      ->capture_default_str();
  app.add_option("--mtu", options.mtu,
                 "largest IP packet, in bytes [as the host profile has it: 9000, or 1500]")
      ->check(CLI::Range(576, 65535));
  app.add_option(
         "--initial-window", options.network.initial_window,
         "packets that a TCP connection to another site may send before the first answer [as the host "
         "profile has it: as many as are on their way on the fullest link until one comes, or the kernel's "
         "10]")
      ->check(CLI::Range(1, 65535));
  app.add_option("--tcp-buffer", options.tcp_buffer,
                 "largest socket buffer of the hosts, in bytes [as the host profile has it]")
      ->check(CLI::Range(4096, 1 << 30));
  app.add_flag("--user-namespace", options.force_user_namespace, "do not use root's rights even if there");
}

/// The words after the first "--"; takes them and the "--" off `words`.
std::vector<std::string> split_command(std::vector<std::string>& words) {
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return {};
  std::vector<std::string> command(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return command;
}

/// Hands `words` to CLI11; an exit status if it has already answered (help, mistakes).
std::optional<int> parse(CLI::App& app, std::vector<std::string> words) {
  try {
    std::ranges::reverse(words);  // CLI11 wants the last word first
    app.parse(words);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
}

int dispatch(std::vector<std::string> words) {
  if (!words.empty() && words[0] == "agent") return enter({words.begin() + 1, words.end()});
  if (!words.empty() && words[0] == "link") return change_link({words.begin() + 1, words.end()});
  CLI::App app("Runs a command over sites and links emulated on this machine.", "wan-lab");
  app.require_subcommand(1);
  RunOptions options;
  auto* run_command =
      app.add_subcommand("run", "bring sites up, run COMMAND in the first host, take them down");
  run_command->footer("wan-lab run --topology FILE [OPTIONS] -- COMMAND [ARGUMENTS]");
  add_run_options(*run_command, options);
  auto* down_command = app.add_subcommand("down", "remove what labs that were killed have left");
  const auto command = split_command(words);
  if (const auto status = parse(app, std::move(words))) return *status;
  if (*down_command) return down();
  if (command.empty())
    throw UsageError({"wan-lab run", 0, "", "", "a command is missing: ... -- COMMAND [ARGUMENTS]"});
  return run(options, command);
}

int main_guarded(std::vector<std::string> words) {
  try {
    return dispatch(std::move(words));
  } catch (const UsageError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kExitUsage;
  }
}

}  // namespace
}  // namespace wan::lab

int main(int argc, char** argv) {
  return wan::lab::exit_status_of([=] { return wan::lab::main_guarded({argv + 1, argv + argc}); });
}
