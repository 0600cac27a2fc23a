// SPDX-License-Identifier: BSD-3-Clause
// wanctl bench, wanctl lab: hand over to wan-bench-compare and wan-lab as they are. Tested by
// tests/wanctl/forward_test.sh.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "tools/commands.h"
#include "tools/usage_error.h"

namespace wan::tools {
namespace {

namespace fs = std::filesystem;

struct ForwardedProgram {
  std::string name;
  std::string folder;  ///< of the build folder
};

/// Where it may be, in order: in the build folder of this wanctl, beside it, where PATH says.
std::vector<fs::path> places_of(const ForwardedProgram& program) {
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  std::vector<fs::path> places;
  if (!own.empty()) places = {own / program.folder / program.name, own / program.name};
  const char* search = std::getenv("PATH");
  std::istringstream folders(search ? search : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty()) places.push_back(fs::path(folder) / program.name);
  return places;
}

int hand_over(const ForwardedProgram& program, std::vector<std::string> words) {
  for (const fs::path& place : places_of(program)) {
    if (::access(place.c_str(), X_OK) != 0) continue;
    std::vector<char*> arguments{const_cast<char*>(place.c_str())};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(place.c_str(), arguments.data());
    throw UsageError(
        InputError{.file = place, .remedy = std::string("cannot be run: ") + std::strerror(errno)});
  }
  throw UsageError(InputError{
      .file = program.name,
      .remedy =
          "is neither beside wanctl nor in PATH: it is built, not installed, so run wanctl in the build "
          "folder of coll_wan, or add the folder " +
          program.folder + " of that to PATH"});
}

void add(Commands& commands, Description description, ForwardedProgram program) {
  description.details.push_back(
      "All words that follow go to " + program.name +
      ", which is looked for in the build folder of this wanctl, beside wanctl, and in PATH.");
  commands.add_forward(std::move(description), [program](const std::vector<std::string>& words) {
    return hand_over(program, words);
  });
}

}  // namespace

void add_bench_and_lab(Commands& commands) {
  add(commands,
      {.name = "bench",
       .summary = "Measures collectives over emulated sites, with coll_wan and without (wan-bench-compare)",
       .examples = {{"bench --help", "lists the options of wan-bench-compare"}}},
      {"wan-bench-compare", "bench/collectives"});
  add(commands,
      {.name = "lab",
       .summary = "Runs a command over sites emulated on this machine (wan-lab)",
       .examples = {{"lab run --topology sites.toml --ranks 2 -- mpirun ./app",
                     "runs a program on two ranks of each site"}}},
      {"wan-lab", "bench/lab"});
}

}  // namespace wan::tools
