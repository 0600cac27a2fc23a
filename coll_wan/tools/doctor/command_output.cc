// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/command_output.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace wan::tools::doctor {

CommandOutput output_of(const std::string& line) {
  CommandOutput output;
  FILE* pipe = ::popen(("(" + line + ") </dev/null 2>/dev/null").c_str(), "re");
  if (pipe == nullptr) return {{}, 127};
  std::array<char, 65536> piece;
  for (std::size_t got; (got = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;)
    output.text.append(piece.data(), got);
  const int status = ::pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace wan::tools::doctor
