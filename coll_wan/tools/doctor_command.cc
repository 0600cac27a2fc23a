// SPDX-License-Identifier: BSD-3-Clause
// wanctl doctor: what keeps hosts from working together (tools/doctor). Tested by tests/lab/doctor_test.sh.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "tools/commands.h"
#include "tools/doctor/agent.h"
#include "tools/doctor/examine.h"
#include "tools/doctor/judge.h"
#include "tools/doctor/report.h"
#include "tools/helpers.h"

namespace wan::tools {
namespace {

struct DoctorOptions {
  HelperOptions helpers;
  std::string topology;
  bool json = false, only_connect = false, serve = false;
};

Status examine(const DoctorOptions& options) {
  if (is_further_process()) return Status::fine;
  doctor::Inquiry inquiry;
  inquiry.helpers = helpers_for(options.helpers);
  inquiry.topology = options.topology;
  inquiry.with_rates = !options.only_connect;
  inquiry.progress = show_progress;
  const doctor::Facts facts = doctor::examine(inquiry);
  show_progress("");
  const auto findings = doctor::judge(facts);
  fmt::print("{}",
             options.json ? doctor::report_json(facts, findings) : doctor::report_text(facts, findings));
  return doctor::faults_in(findings) > 0 ? Status::finding : Status::fine;
}

Status serve_doctor() {
  doctor::run_agent(STDIN_FILENO, STDOUT_FILENO);
  return Status::fine;
}

Description doctor_description() {
  return {
      "doctor",
      "Finds what keeps hosts from working together, and says how to mend it",
      {"Starts a helper on each host, as mpirun starts its daemons, and lets every host try every other: "
       "names, routes, interfaces, firewalls, translated addresses, round trips and rates, lengths of "
       "packets, TCP settings, clocks, versions of Open MPI and coll_wan, and the topology file. Each pair "
       "of "
       "hosts takes about a second. Each finding has a name, what was seen, and the lines that mend it.",
       "The hosts come from --hosts, the mpirun that starts wanctl, a batch system (SLURM_JOB_NODELIST, "
       "PBS_NODEFILE) or the default host file of Open MPI. No mpirun is needed; under mpirun the first "
       "process does the work and the others end at once. Settings of Open MPI in the environment "
       "(OMPI_MCA_btl_tcp_if_include) are taken as those of the job.",
       "Exit status: 0 no fault, 1 faults, 2 a wrong command line."},
      {{"doctor --hosts paris1,tokyo[1-2]", "examine three hosts, over ssh"},
       {"doctor --hosts hostfile --topology sites.toml --json",
        "examine the hosts of a host file, and compare what is measured with the topology file"},
       {"doctor --agent 'srun -N1 -n1 --overlap -w'", "examine the hosts of a job of Slurm, without ssh"}}};
}

}  // namespace

void add_doctor(Commands& commands) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App& command = commands.add(doctor_description(),
                                   [options] { return options->serve ? serve_doctor() : examine(*options); });
  add_helper_options(command, options->helpers);
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
