// SPDX-License-Identifier: BSD-3-Clause
// wanctl: the command for people. Its subcommands are in commands.h. Exit status: 0 all is well; 1 a finding;
// 2 a wrong command line or bad input. Needs no MPI. Tested by tests/wanctl.
#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "tools/commands.h"
#include "tools/completion.h"
#include "tools/manual.h"

namespace wan::tools {
namespace {

/// Besides the subcommands: `--manual` prints the manual page (the makefile asks for it), `--complete WORDS`
/// what may follow (completion/wanctl asks for it).
int run(Commands& commands, const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--manual"}) {
    fmt::print("{}", manual_of(commands));
  } else if (!words.empty() && words.front() == "--complete") {
    for (const std::string& word : completions_of(commands, {words.begin() + 1, words.end()}))
      fmt::print("{}\n", word);
  } else {
    return commands.run(words);
  }
  return 0;
}

}  // namespace
}  // namespace wan::tools

int main(int count, char** arguments) {
  using namespace wan::tools;
  Commands commands;
  add_all(commands);
  try {
    const int status = run(commands, {arguments + 1, arguments + count});
    if (std::fflush(stdout) == 0) return status;
  } catch (const std::system_error&) {  // fmt could not write
  }
  fmt::print(stderr, "wanctl: standard output cannot be written\n");
  return kMisuse;
}
