// SPDX-License-Identifier: BSD-3-Clause
// What several peers took for the same cells, joined with the lower bound of each cell. No MPI, no processes
// here. Tested by bench/collectives/comparison_test.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/collectives/cell.h"
#include "bench/collectives/cell_call.h"
#include "bench/common/peer_times.h"
#include "topo/site_file.h"
#include "topo/topology.h"

namespace wan::bench {

Summary summarize(const Measurement& measurement);

/// The peers' times of one cell.
struct Comparison : PeerTimes {
  Cell cell;
  Nanoseconds bound_ns = 0;                           ///< 0: none is known
  Nanoseconds predicted_ns = 0;                       ///< of coll_wan, by the cost model; 0: not predicted
  std::map<std::string, BytesPerSecond> others = {};  ///< Measurement::others beside each peer
  BytesPerSecond least_rate = 0;                      ///< of all links; 0: not known

  /// The times are what is left beyond a computation, which may hide the call altogether.
  bool is_overlapped() const { return cell.form == Form::overlapped; }
  /// The time of `peer` in multiples of the bound; nullopt where either is missing.
  std::optional<double> in_bounds(const std::string& peer) const;
  /// Of the prediction, relative to the time of `peer`: -0.1 if it is a tenth too short; nullopt where
  /// either is missing.
  std::optional<double> error(const std::string& peer) const;
  /// The part of a link of the least rate that somebody else gets beside `peer`; nullopt: there is nobody, or
  /// that is not known.
  std::optional<double> kept_by_others(const std::string& peer) const;
};

/// The rows of all passes of each peer: repetitions of one cell are put together. Cells in the order of their
/// first row.
class Collection {
 public:
  void add(const std::string& peer, const std::vector<Row>& rows);
  std::vector<Comparison> comparisons(Statistic statistic = Statistic::median) const;

 private:
  std::vector<Cell> order_;
  std::map<Cell, std::map<std::string, Measurement>> measurements_;
};

/// Where the ranks of an output sit, by the host of each; an error for a host that `file` does not know.
Result<Topology> topology_of(const std::vector<std::string>& hosts, const SiteFile& file);

/// Where somebody else has the rest of every link.
Topology with_rates_divided(Topology topology, std::int64_t parts);

/// Fills in the least rate of the links.
void add_least_rate(std::vector<Comparison>& comparisons, const Network& network);
/// Fills in the bounds.
void add_bounds(std::vector<Comparison>& comparisons, const Topology& topology,
                const Distribution& distribution = {});

}  // namespace wan::bench
