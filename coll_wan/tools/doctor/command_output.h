// SPDX-License-Identifier: BSD-3-Clause
// What a command prints. Threads: any.
#pragma once

#include <string>

namespace wan::tools::doctor {

struct CommandOutput {
  std::string text;
  int status = 0;  ///< of the shell: 127 if there is no such command
};

/// Runs the line in a shell; it reads nothing, and what it complains of is thrown away.
CommandOutput output_of(const std::string& line);

}  // namespace wan::tools::doctor
