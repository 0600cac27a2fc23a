// SPDX-License-Identifier: BSD-3-Clause
// Which hosts wanctl doctor and others examine, and how they start programs there. Pure but for hosts_named()
// and hosts_in(), which may read a file. Tested by tests/unit/doctor_text.cc.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace wan::tools::doctor {

/// The value of an environment variable; empty if it is not set.
using Environment = std::function<std::string(const char*)>;

/// The hosts of an Open MPI host file or a node file of a batch system: the first word of each line, each
/// host once; '#' begins a comment.
std::vector<std::string> hosts_of_file(std::string_view text);
/// "a,b-[1-3]": names, and patterns as in the topology file. A list of ':' and a number has slots: "a:4,b:4".
Result<std::vector<std::string>> hosts_of_list(std::string_view list);

/// Those of a list, or of a file where there is one with this name: a list hardly ever is the name of a file.
Result<std::vector<std::string>> hosts_named(const std::string& list_or_file);

/// --hosts, a list or the name of a file; if empty, what the batch system (SLURM_JOB_NODELIST, PBS_NODEFILE)
/// or the default host file of Open MPI says.
Result<std::vector<std::string>> hosts_in(const std::string& option, const Environment& environment);

/// What the words of a command line say as --hosts, if it is one of mpirun: its first host file, or else all
/// its lists of hosts. Empty if it says nothing. The command that it starts is not read.
std::string hosts_option_of(const std::vector<std::string>& command);

/// --agent; if empty, the launch agent of Open MPI, or ssh that asks for nothing.
std::string launcher_in(const std::string& option, const Environment& environment);

}  // namespace wan::tools::doctor
