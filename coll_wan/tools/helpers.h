// SPDX-License-Identifier: BSD-3-Clause
// What subcommands share that start helpers on several hosts (doctor, probe): on which hosts, and how.
// Threads: one. Tested by tests/lab/doctor_test.sh and tests/lab/wanctl_probe_test.sh.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wan::tools {

/// As the user said it; empty: by what surrounds this process.
struct HelperOptions {
  std::string hosts, agent, program;
};
/// --hosts, --agent, --wanctl
void add_helper_options(CLI::App& command, HelperOptions& options);

struct Helpers {
  std::vector<std::string> hosts;                  ///< as the user named them; at least two
  std::string launcher;                            ///< runs a command on a host: LAUNCHER HOST COMMAND
  std::string program;                             ///< wanctl, as the hosts find it
  std::map<std::string, std::string> environment;  ///< what mpirun would pass on
};
/// The hosts come from --hosts, or the mpirun that has started this process, or a batch system, or Open MPI's
/// default host file.
Helpers helpers_for(const HelperOptions& options);

/// Under mpirun the first process does the work: it starts its own helpers on all hosts.
bool is_further_process();

/// Shows on a terminal what is being done, on one line that is wiped out; empty: wipes it out.
void show_progress(const std::string& what);

}  // namespace wan::tools
