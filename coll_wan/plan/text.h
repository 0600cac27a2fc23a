// SPDX-License-Identifier: BSD-3-Clause
// The readable form of Programs, for people, golden files and fixtures. Pure functions; no threads. Tested by
// tests/unit/plan_text.cc, tests/golden and tests/fuzz/program_text.cc.
//
//   rank 0 of 3 bytes input 4 output 12 scratch 0
//     0 receive output[4,8) from 1
//     1 receive output[8,12) from 2
//     2 copy input[0,4) to output[0,4)
//     3 send output[0,4) output[8,12) to 1 after 1 2
//
// A range is half open, in units; several are in message order. `reduce input[0,4) into output[0,4)`; an
// empty message is `send nothing to 1`. `#` begins a comment. `after` names the steps to wait for; those that
// the ranges show (a read after a write, ...) may be left out, so what is parsed never has a hazard.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/program.h"

namespace wan {

/// One rank's Program. With me = -1 (an intercommunicator) the peers are ranks of the remote group.
std::string to_text(const Program& program, Rank me, Rank size);
/// All ranks' Programs, one after the other.
std::string to_text(const Schedule& schedule);

/// A Program and whose it is.
struct RankProgram {
  Rank me = 0, size = 1;
  Program program;
};

/// The Programs in `text`; `name` stands in error messages. The first mistake names line, value and remedy.
Result<std::vector<RankProgram>> parse_programs(std::string_view text, std::string_view name);
/// The Programs of ranks 0, 1, ... of one communicator, none missing.
Result<Schedule> parse_schedule(std::string_view text, std::string_view name);

}  // namespace wan
