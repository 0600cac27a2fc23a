// SPDX-License-Identifier: BSD-3-Clause
// What several peers took for the same cells, joined with the lower bound of each cell. No MPI, no processes
// here. Tested by tests/unit/bench_comparison.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/collectives/cell.h"
#include "topo/site_file.h"
#include "topo/topology.h"

namespace wan::bench {

/// One peer's times of one cell.
struct Summary {
  Nanoseconds q1_ns = 0, median_ns = 0, q3_ns = 0;
  int repetitions = 0;
  int late = 0;   ///< repetitions during which the emulator delivered late
  int wrong = 0;  ///< repetitions with a wrong result
};
Summary summarize(const Measurement& measurement);

struct Comparison {
  Cell cell;
  Nanoseconds bound_ns = 0;  ///< 0: none is known
  std::map<std::string, Summary> peers;

  const Summary* of(const std::string& peer) const;
  /// Median of the fastest of the peers other than `mine`; nullopt if there is none.
  std::optional<Nanoseconds> best_other(const std::string& mine) const;
  /// best_other over the median of `mine`; nullopt where either is missing.
  std::optional<double> speedup(const std::string& mine) const;
  /// The median of `peer` in multiples of the bound; nullopt where either is missing.
  std::optional<double> in_bounds(const std::string& peer) const;
};

/// The rows of all passes of each peer: repetitions of one cell are put together. Cells in the order of their
/// first row.
class Collection {
 public:
  void add(const std::string& peer, const std::vector<Row>& rows);
  std::vector<Comparison> comparisons() const;

 private:
  std::vector<Cell> order_;
  std::map<Cell, std::map<std::string, Measurement>> measurements_;
};

/// Where the ranks of an output sit, by the host of each; an error for a host that `file` does not know.
Result<Topology> topology_of(const std::vector<std::string>& hosts, const SiteFile& file);

/// Fills in the bounds.
void add_bounds(std::vector<Comparison>& comparisons, const Topology& topology);

}  // namespace wan::bench
