// SPDX-License-Identifier: BSD-3-Clause
// wanctl: the command for people. Its subcommands are in commands.h. Exit status: 0 all is well; 1 a finding;
// 2 a wrong command line or bad input. Needs no MPI. Tested by tests/wanctl.
#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "tools/commands.h"

int main(int count, char** arguments) {
  using namespace wan::tools;
  Commands commands;
  add_all(commands);
  try {
    const int status = commands.run({arguments + 1, arguments + count});
    if (std::fflush(stdout) == 0) return status;
  } catch (const std::system_error&) {  // fmt could not write
  }
  fmt::print(stderr, "wanctl: standard output cannot be written\n");
  return kMisuse;
}
