// SPDX-License-Identifier: BSD-3-Clause
// Executes the Programs of several processes on text: a unit is a string, a reduction joins two strings.
// Knows nothing of the verifier, so the two can be held against each other. A message moves when both sides
// are ready; what is ready goes in a random order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/program_editor.h"

namespace wan {

class Interpreter {
 public:
  using Memory = std::vector<std::string>;

  /// Adds process 0, 1, ...; peers in `program` are numbers of processes. What is not given is "?".
  void add(EditedProgram program, Memory input, Memory output);
  /// Runs all to their ends; false if they wait for each other or a message meets a receive of another
  /// length.
  bool run(std::uint32_t seed);
  const Memory& output(int process) const { return processes_[static_cast<std::size_t>(process)].memory[1]; }

 private:
  struct Process {
    EditedProgram program;
    Memory memory[3];
    std::vector<bool> is_done;
  };
  struct Place {
    std::size_t process, step;
  };

  EditedStep& step(Place place) { return processes_[place.process].program.steps[place.step]; }
  bool is_ready(Place place);
  bool try_step(Place place);
  bool try_message(Place send);
  Memory read(Place place, const std::vector<Range>& ranges);
  bool write(Place place, const Memory& values);

  std::vector<Process> processes_;
};

}  // namespace wan
