// SPDX-License-Identifier: BSD-3-Clause
#include "tools/helpers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tools/doctor/host_list.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The command line of a process; empty where it cannot be read.
std::vector<std::string> command_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process));
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

/// Of the environment what mpirun passes on to a job and what the network depends on.
std::map<std::string, std::string> job_environment() {
  constexpr std::array<std::string_view, 6> kPrefixes{"OMPI_MCA_btl_tcp_", "OMPI_MCA_oob_tcp_",
                                                      "OMPI_MCA_coll",     "OMPI_MCA_mca_base_",
                                                      "PRTE_MCA_prte_if_", "PRTE_MCA_oob_tcp_"};
  std::map<std::string, std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text(*each);
    const std::size_t equals = text.find('=');
    for (const std::string_view prefix : kPrefixes)
      if (text.starts_with(prefix)) variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  return variables;
}

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace

void add_helper_options(CLI::App& command, HelperOptions& options) {
  command.add_option("--hosts", options.hosts, "Hosts (\"a,b-[1-3]\"), or a host file")->type_name("HOSTS");
  command
      .add_option("--agent", options.agent,
                  "Command that runs a command on a host, given the host and the command; default: that of "
                  "Open MPI, or ssh")
      ->type_name("COMMAND");
  command
      .add_option("--wanctl", options.program, "wanctl, as the hosts find it; default: the path of this one")
      ->type_name("PROGRAM");
}

Helpers helpers_for(const HelperOptions& options) {
  const std::string hosts =
      options.hosts.empty() ? doctor::hosts_option_of(command_of(::getppid())) : options.hosts;
  return {value_of(doctor::hosts_in(hosts, variable)), doctor::launcher_in(options.agent, variable),
          options.program.empty() ? own_program() : options.program, job_environment()};
}

bool is_further_process() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"})
    if (const std::string rank = variable(name); !rank.empty()) return rank != "0";
  return false;
}

void show_progress(const std::string& what) {
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}\r", what.empty() ? "" : what + " ...");
}

}  // namespace wan::tools
