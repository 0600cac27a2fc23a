// SPDX-License-Identifier: BSD-3-Clause
// The trees over many random graphs: small ones against the optimum of exhaustive search, large clusters
// against their lower bound, and fastest node first against a random order (the experiments of Liu's abstract
// and section 1).
#pragma once

#include <cstdint>
#include <string>

namespace wan::bench {

struct StudySize {
  int graphs = 500;  ///< of each family and number of nodes
  std::uint64_t seed = 1;
};

/// Prints tables and leaves clusters.csv, links.csv, large-clusters.csv and clusters.svg in `directory`.
void run_random_study(const StudySize& size, const std::string& directory);

/// Prints the processor time that best_tree takes.
void time_best_tree(std::uint64_t seed);

}  // namespace wan::bench
