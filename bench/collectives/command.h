// SPDX-License-Identifier: BSD-3-Clause
// The command lines of the peers, and running them.
#pragma once

#include <string>
#include <vector>

namespace wan::bench {

using Words = std::vector<std::string>;

/// A way of running collectives.
struct Peer {
  std::string name;
  Words mpirun_options;  ///< MCA parameters that select its components
  Words wrapper;         ///< what stands before the program
};

/// "tuned": Open MPI's choice without han and wan; "han": han first; "wan": coll_wan from
/// `component_directory` (empty: as installed). The version of Open MPI decides how a component directory is
/// named.
std::vector<Peer> known_peers(const std::string& component_directory);

/// Runs `words`, with standard output and error appended to `log`, for at most `seconds`. Returns the exit
/// status, or 128 + the signal that ended it; 124 if the time was up (the whole process group has then been
/// ended).
int run_command(const Words& words, const std::string& log, int seconds);

}  // namespace wan::bench
