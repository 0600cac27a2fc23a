// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with what the processes of a job have published: where coll_wan stays off for it, and what
// the user is told. No MPI, no output. Threads: pure functions. Tested by tests/unit/process_troubles.cc and,
// under mpirun, by tests/negative and tests/mpi/run.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "process/record.h"

namespace wan {

/// The record of each process, in rank order; nullptr: it runs without coll_wan, or with another version of
/// it.
using Records = std::span<const ProcessRecord* const>;

/// May coll_wan serve a communicator of these processes? Not if somebody runs without it, and so would not
/// answer its messages, or with bad input, or if they are in more than kMostSites sites.
bool can_serve(Records members);

/// A text of help-coll-wan.txt and what its places are filled with; those that it has not are empty.
struct Trouble {
  const char* topic;
  std::array<std::string, 3> texts;
};

/// One for each kind of trouble of a job, whose first process comes first.
std::vector<Trouble> troubles_of(Records job);

}  // namespace wan
