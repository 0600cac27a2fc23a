// SPDX-License-Identifier: BSD-3-Clause
// MagPIe's figures 3 to 8 (papers/004): what is measured over which numbers of clusters and processes, and
// what came out.
// Tested by bench/magpie/figure_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/common/command.h"
#include "bench/common/peer_times.h"

namespace wan::bench {

/// What one figure shows.
struct Figure {
  int number = 0;
  std::string title;
  std::string collective;    ///< of wan-bench; empty: an application
  std::vector<Bytes> sizes;  ///< one panel each
  Words application;         ///< program of bench/apps and its options
  std::vector<int> clusters;
  std::vector<int> processes;  ///< on all clusters together
};

/// Figures 3 to 8.
std::vector<Figure> figures();

/// One place on the horizontal axis of one panel.
struct Point : PeerTimes {
  Bytes bytes = 0;  ///< the panel
  int clusters = 0, processes = 0;
  Nanoseconds bound_ns = 0;  ///< 0: none is known
};

/// "cluster-1=8,cluster-2=8": so many processes on the first clusters of mca_params/magpie-8x5.toml, evenly.
std::string ranks_option(int clusters, int processes);

/// One line a point: milliseconds, speed-up of the last peer over the best of the others.
std::string to_table(std::span<const Point> points, const std::vector<std::string>& peers);

/// One line a point and peer, times in nanoseconds.
std::string to_csv(std::span<const Point> points, const std::vector<std::string>& peers);

/// One panel a size; groups of bars for the numbers of clusters, in them the numbers of processes. Returns
/// the pictures' paths.
std::vector<std::string> draw_figure(const Figure& figure, std::span<const Point> points,
                                     const std::vector<std::string>& peers, const std::string& directory);

}  // namespace wan::bench
