// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with what the processes of a job have published: where coll_wan stays off for it, and what
// the user is told. No MPI, no output. Threads: pure functions. Tested by tests/unit/process_troubles.cc and,
// under mpirun, by tests/negative and tests/mpi/run.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "discover/sites.h"
#include "process/record.h"

namespace wan {

/// The record of each process, in rank order; nullptr: it runs without coll_wan, or with another version of
/// it.
using Records = std::span<const ProcessRecord* const>;

/// What the sources of sites say of each.
std::vector<const std::vector<Finding>*> findings_of(Records processes);
/// Where they are, by these sources.
Sites sites_of(Records processes, std::span<const Ask> asks);

/// May coll_wan serve a communicator of these processes? Not if somebody runs without it, and so would not
/// answer its messages, or with bad input, or if they are in more than kMostSites sites.
bool can_serve(Records members, const Sites& sites);

/// A text of help-coll-wan.txt and what its places are filled with; those that it has not are empty.
struct Trouble {
  const char* topic;
  std::array<std::string, 3> texts;
};

/// One for each kind of trouble of a job, whose first process comes first; `sites` follow from these `asks`.
std::vector<Trouble> troubles_of(Records job, std::span<const Ask> asks, const Sites& sites);

}  // namespace wan
