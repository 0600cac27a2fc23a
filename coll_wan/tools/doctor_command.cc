// SPDX-License-Identifier: BSD-3-Clause
// wanctl doctor: what keeps hosts from working together (tools/doctor). Tested by tests/lab/doctor_test.sh.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "tools/commands.h"
#include "tools/doctor/agent.h"
#include "tools/doctor/examine.h"
#include "tools/doctor/host_list.h"
#include "tools/doctor/judge.h"
#include "tools/doctor/report.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

struct Options {
  std::string hosts, agent, program, topology;
  bool json = false, only_connect = false, serve = false;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Under mpirun the first process does the work: it starts its own helpers on all hosts.
bool is_further_process() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"})
    if (const std::string rank = variable(name); !rank.empty()) return rank != "0";
  return false;
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

/// Shows on a terminal what is being done, on one line that is wiped out.
void show_progress(const std::string& what) {
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}\r", what.empty() ? "" : what + " ...");
}

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

Status examine(const Options& options) {
  if (is_further_process()) return Status::fine;
  doctor::Inquiry inquiry;
  inquiry.hosts = value_of(doctor::hosts_in(options.hosts, variable));
  inquiry.launcher = doctor::launcher_in(options.agent, variable);
  inquiry.program = options.program.empty() ? own_program() : options.program;
  inquiry.topology = options.topology;
  inquiry.environment = job_environment();
  inquiry.with_rates = !options.only_connect;
  inquiry.progress = show_progress;
  const doctor::Facts facts = doctor::examine(inquiry);
  show_progress("");
  const auto findings = doctor::judge(facts);
  fmt::print("{}",
             options.json ? doctor::report_json(facts, findings) : doctor::report_text(facts, findings));
  return doctor::faults_in(findings) > 0 ? Status::finding : Status::fine;
}

Status serve() {
  doctor::run_agent(STDIN_FILENO, STDOUT_FILENO);
  return Status::fine;
}

Description description() {
  return {
      "doctor",
      "Finds what keeps hosts from working together, and says how to mend it",
      {"Starts a helper on each host, as mpirun starts its daemons, and lets every host try every other: "
       "names, "
       "routes, interfaces, firewalls, translated addresses, round trips and rates, lengths of packets, TCP "
       "settings, clocks, versions of Open MPI and coll_wan, and the topology file. Each pair of hosts takes "
       "about a second. Each finding has a name, what was seen, and the lines that mend it.",
       "The hosts come from --hosts, a batch system (SLURM_JOB_NODELIST, PBS_NODEFILE) or the default host "
       "file "
       "of Open MPI. No mpirun is needed; under mpirun the first process does the work and the others end at "
       "once. Settings of Open MPI in the environment (OMPI_MCA_btl_tcp_if_include) are taken as those of "
       "the "
       "job.",
       "Exit status: 0 no fault, 1 faults, 2 a wrong command line."},
      {{"doctor --hosts paris1,tokyo[1-2]", "examine three hosts, over ssh"},
       {"doctor --hosts hostfile --topology sites.toml --json",
        "examine the hosts of a host file, and compare what is measured with the topology file"},
       {"doctor --agent 'srun -N1 -n1 --overlap -w'", "examine the hosts of a job of Slurm, without ssh"}}};
}

}  // namespace

void add_doctor(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App& command =
      commands.add(description(), [options] { return options->serve ? serve() : examine(*options); });
  command.add_option("--hosts", options->hosts, "Hosts (\"a,b-[1-3]\"), or a host file")->type_name("HOSTS");
  command
      .add_option("--agent", options->agent,
                  "Command that runs a command on a host, given the host and the command; default: that of "
                  "Open MPI, or ssh")
      ->type_name("COMMAND");
  command
      .add_option("--wanctl", options->program, "wanctl, as the hosts find it; default: the path of this one")
      ->type_name("PROGRAM");
  command
      .add_option("--topology", options->topology,
                  "Topology file, as the hosts find it; default: coll_wan_topology of Open MPI")
      ->type_name("FILE");
  command.add_flag("--only-connect", options->only_connect,
                   "Connect each host to each, but measure no rates");
  add_json_flag(command, options->json);
  command.add_flag("--serve", options->serve,
                   "Be the helper that the doctor starts on each host: take orders from standard input");
}

}  // namespace wan::tools
