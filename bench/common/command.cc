// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace wan::bench {
namespace {

constexpr int kCannotRun = 127;

[[noreturn]] void become(const Words& words, const std::string& log) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // nothing survives this program
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (out >= 0) {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  std::perror(arguments[0]);
  ::_exit(kCannotRun);
}

/// Other layers of Open MPI that carry messages (PML), by what a peer that uses them has behind its name.
const std::vector<std::pair<std::string, Words>>& layers() {
  static const std::vector<std::pair<std::string, Words>> all{
      {"-ucx", {"--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca", "pml_ucx_devices", "any"}},
      {"-ofi",
       {"--mca", "pml", "cm", "--mca", "mtl", "ofi", "--mca", "mtl_ofi_provider_include",
        "tcp;ofi_rxm,tcp"}}};
  return all;
}

/// All of them by these layers, besides.
std::vector<Peer> by_all_layers(std::vector<Peer> peers) {
  for (std::size_t own = 0, number = peers.size(); own < number; ++own)
    for (const auto& [suffix, options] : layers()) {
      Peer other = peers[own];
      other.name += suffix;
      other.mpirun_options.insert(other.mpirun_options.end(), options.begin(), options.end());
      peers.push_back(std::move(other));
    }
  return peers;
}

}  // namespace

std::vector<Peer> known_peers(const std::string& component_directory) {
  Peer coll_wan{"coll_wan", {}, {}};
  if (!component_directory.empty()) {
    const std::string path = component_directory + ":SYSTEM_DEFAULT:USER_DEFAULT";
    coll_wan.wrapper = {"env", "OMPI_MCA_mca_base_component_path=" + path};
  }
  Peer reproducible = coll_wan;
  reproducible.name = "reproducible";
  reproducible.mpirun_options = {"--mca", "coll_wan_reproducible", "1"};
  return by_all_layers({{"stock", {"--mca", "coll", "^wan"}, {}},
                        {"tuned", {"--mca", "coll", "^han,wan"}, {}},
                        {"han", {"--mca", "coll", "^wan", "--mca", "coll_han_priority", "100"}, {}},
                        coll_wan,
                        reproducible});
}

Words over_sites(const std::string& lab, const std::string& topology, const std::string& ranks,
                 const LabProfiles& profiles) {
  Words words{lab, "run", "--topology", topology};
  const auto add = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  if (!ranks.empty()) add({"--ranks", ranks});
  if (!profiles.hosts.empty()) add({"--host-profile", profiles.hosts, "--any-rate"});
  if (!profiles.links.empty()) add({"--link-profile", profiles.links});
  if (!profiles.queue.empty()) add({"--queue", profiles.queue});
  add({"--", "mpirun"});
  return words;
}

Words on_this_machine(int ranks) {
  return {"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"};
}

Words labelled_in_turn(int sites) {
  const std::string label = fmt::format("site$((OMPI_COMM_WORLD_RANK % {}))", sites);
  return {"sh", "-c", "OMPI_MCA_coll_wan_site=" + label + " exec \"$@\"", "sh"};
}

int run_command(const Words& words, const std::string& log, int seconds) {
  Words timed{"timeout", "--foreground", "--kill-after=20", std::to_string(seconds)};
  timed.insert(timed.end(), words.begin(), words.end());
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) become(timed, log);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) < 0) return kCannotRun;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace wan::bench
