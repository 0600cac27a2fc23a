// SPDX-License-Identifier: BSD-3-Clause
// The command lines of the peers, and running them.
#pragma once

#include <string>
#include <vector>

namespace wan::bench {

using Words = std::vector<std::string>;

/// A way of running MPI programs.
struct Peer {
  std::string name;
  Words mpirun_options;  ///< MCA parameters that select its components
  Words wrapper;         ///< what stands before the program
};

/// "stock": Open MPI as it is; "tuned": without han; "han": han first; "coll_wan": the component from
/// `component_directory` (empty: as installed). Each also with "-ucx" or "-ofi" behind its name: over UCX or
/// libfabric.
std::vector<Peer> known_peers(const std::string& component_directory);

/// What hosts and links of the lab are like (wan-lab's --host-profile, --link-profile, --queue); empty: as
/// without.
struct LabProfiles {
  std::string hosts{}, links{}, queue{};
  /// Does somebody else send over the links, too?
  bool are_shared() const { return links == "shared"; }
};

/// mpirun over the emulated sites of a topology file, with so many ranks on each (empty: as the file says).
/// Measurements look themselves at which packets were late.
Words over_sites(const std::string& lab, const std::string& topology, const std::string& ranks,
                 const LabProfiles& profiles = {});
/// mpirun without sites.
Words on_this_machine(int ranks);
/// A wrapper that calls the ranks' sites site0, site1, ... in turn.
Words labelled_in_turn(int sites);

/// Runs `words`, with standard output and error appended to `log`, for at most `seconds`. Returns the exit
/// status, or 128 + the signal that ended it; 124 if the time was up (the whole process group has then been
/// ended).
int run_command(const Words& words, const std::string& log, int seconds);

}  // namespace wan::bench
