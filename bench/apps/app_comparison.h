// SPDX-License-Identifier: BSD-3-Clause
// What several peers took for the same applications: as a table, as CSV, as bars. Tested by
// bench/apps/apps_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/apps/result.h"
#include "bench/common/peer_times.h"

namespace wan::bench {

/// The peers' times of one application.
struct AppComparison : PeerTimes {
  std::string name, problem;
  Rank ranks = 0;
  std::map<std::string, Nanoseconds> mpi_ns;  ///< of each peer: median over the repetitions

  /// Adds a peer with the repetitions of all its passes; nothing where there are none.
  void add(const std::string& peer, std::span<const Repetition> repetitions);
  /// Part of the time of `peer` in MPI calls; nullopt where it is missing.
  std::optional<double> mpi_share(const std::string& peer) const;
};

/// What `peer` must show: so many times as fast as the best of the others; five in a hundred are noise.
inline constexpr double kLeastSpeedup = 0.95;
/// Where it does not, or somebody failed or was wrong, a line each. goal: of the peers' last, none where
/// nothing is promised (on one machine).
std::vector<std::string> misses(std::span<const AppComparison> comparisons,
                                const std::vector<std::string>& peers, std::optional<double> goal);

/// One line an application: seconds, speed-up of the last peer over the best of the others, each peer's share
/// of time in MPI calls. Marks behind a time as in bench/common/peer_times.h.
std::string to_table(std::span<const AppComparison> comparisons, const std::vector<std::string>& peers);

/// One line an application and peer, times in nanoseconds.
std::string to_csv(std::span<const AppComparison> comparisons, const std::vector<std::string>& peers);

/// One panel an application, one bar a peer; the dark part is not in MPI calls. Returns the pictures' paths.
std::vector<std::string> draw_apps(std::span<const AppComparison> comparisons,
                                   const std::vector<std::string>& peers, const std::string& title,
                                   const std::string& directory);

}  // namespace wan::bench
