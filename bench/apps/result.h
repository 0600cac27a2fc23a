// SPDX-License-Identifier: BSD-3-Clause
// What one repetition of an application has shown, and as a line of CSV. No MPI here. Tested by
// bench/apps/apps_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace wan::bench {

struct Repetition {
  std::string app;
  std::string problem;
  Rank ranks = 0;
  Nanoseconds time_ns = 0;  ///< from the release to the last rank's return
  Nanoseconds mpi_ns =
      0;  ///< mean over the ranks: of that, in MPI calls (communication, and waiting for others)
  std::int64_t late = 0;     ///< packets that the lab's emulator delivered late
  std::int64_t packets = 0;  ///< all that it delivered; 0 outside of a lab
  std::int64_t wrong = 0;    ///< ranks that found a mistake in the result
};

/// The line of column names, without the newline.
std::string repetition_header();
std::string to_csv(const Repetition& repetition);
/// The repetitions of a file's text. Errors name `file` and line.
Result<std::vector<Repetition>> parse_repetitions(std::string_view text, const std::string& file);

}  // namespace wan::bench
