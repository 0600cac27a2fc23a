// SPDX-License-Identifier: BSD-3-Clause
// wanctl probe: has hosts measure the network between them, and makes a topology file of it (tools/survey).
// Tested by tests/lab/wanctl_probe_test.sh.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <memory>

#include "tools/commands.h"
#include "tools/helpers.h"
#include "tools/output.h"
#include "tools/survey/helper.h"
#include "tools/survey/report.h"
#include "tools/terminal.h"
#include "tools/topology_tables.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

struct ProbeOptions {
  HelperOptions helpers;
  std::string output = "-";
  int rounds = 3;
  bool json = false, serve = false;
};

void complain(const std::string& text) {
  fmt::print(stderr, "{} {}\n", colored(stderr, Color::red, "wanctl probe:"), text);
}

Status fail(const ProbeOptions& options, const std::string& why) {
  if (options.json) print_json({{"error", why}});
  complain(why);
  return Status::finding;
}

survey::Report measured(const ProbeOptions& options) {
  auto found = survey::survey(helpers_for(options.helpers), options.rounds, show_progress);
  show_progress("");
  if (found.hosts.size() < 2) refuse("--hosts", options.helpers.hosts, "these names are all of one host");
  return report_of(std::move(found), fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))));
}

/// What is written, and to a person who has it in a file what was found.
void tell(const ProbeOptions& options, const survey::Report& report) {
  const bool is_file = options.output != "-";
  if (!report.topology.empty() && (is_file || !options.json)) write_output(options.output, report.topology);
  if (options.json) {
    print_json(survey::json_of(report));
  } else if (is_file && !report.topology.empty()) {
    const SiteFile file = value_of(SiteFile::parse(report.topology, options.output));
    fmt::print("{}", topology_tables(file, document_of(file)));
  }
}

Status judge(const survey::Report& report) {
  if (const auto text = survey::unreached_text(report); !text.empty()) complain(text);
  for (const survey::SurveyedHost& each : report.survey.again)
    complain(fmt::format("{} is {}, which is among the hosts already", each.asked, each.name));
  for (const std::string& each : survey::untimed_texts(report)) complain(each);
  return report.unreached.empty() && report.untimed.empty() ? Status::fine : Status::finding;
}

Status probe(const ProbeOptions& options) {
  if (is_further_process()) return Status::fine;
  try {
    const survey::Report report = measured(options);
    tell(options, report);
    return judge(report);
  } catch (const survey::SurveyError& error) {
    show_progress("");
    return fail(options, error.what());
  }
}

Status serve_survey() {
  survey::run_helper(STDIN_FILENO, STDOUT_FILENO);
  return Status::fine;
}

Description probe_description() {
  return {
      "probe",
      "Measures the network between hosts, and writes a topology file",
      {"Starts a helper on each host, as wanctl doctor does. The helpers measure round trips and rates as "
       "the hosts of a job without a topology file do, but in several rounds of at most two seconds each. "
       "The least round trip of all rounds counts, and the rate that most of them have seen. Hosts form "
       "sites by the gaps in their round trips. Sites get names from the names of their hosts.",
       "The hosts come from --hosts, the mpirun that starts wanctl, a batch system (SLURM_JOB_NODELIST, "
       "PBS_NODEFILE) or the default host file of Open MPI. No mpirun is needed; under mpirun the first "
       "process does the work and the others end at once. Settings of Open MPI in the environment "
       "(OMPI_MCA_btl_tcp_if_include) are taken as those of the job.",
       "If a host does not reach one of those that it should measure to, no file is written. Only a network "
       "that carries nothing else at the time is measured rightly.",
       "Exit status: 0 all is measured, 1 a host was not reached, or a rate is an estimate, 2 a wrong "
       "command "
       "line."},
      {{"probe --hosts hosts --output sites.toml", "measure between the hosts of a host file, over ssh"},
       {"probe --agent 'srun -N1 -n1 --overlap -w' --output sites.toml",
        "measure between the hosts of a job of Slurm, without ssh"}}};
}

}  // namespace

void add_probe(Commands& commands) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App& command = commands.add(probe_description(),
                                   [options] { return options->serve ? serve_survey() : probe(*options); });
  add_helper_options(command, options->helpers);
  command.add_option("--rounds", options->rounds, "Measure so many times")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  add_output_option(command, options->output);
  add_json_flag(command, options->json);
  command.add_flag("--serve", options->serve,
                   "Be the helper that wanctl probe starts on each host: take orders from standard input");
}

}  // namespace wan::tools
