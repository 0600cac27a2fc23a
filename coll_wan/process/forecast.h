// SPDX-License-Identifier: BSD-3-Clause
// What a call is predicted to take and to send, by the simulator (check/simulate.h). It takes as long as
// making the plans of all ranks, so it is made of a plan only where somebody reads it: with coll_wan_explain
// and coll_wan_report, and while MPI_T reads predicted times. Knows nothing of Open MPI; no threads. Tested
// by tests/unit/process_report.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algo/tuning.h"
#include "check/stock.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

struct LinkForecast {
  std::string from, to;  ///< sites
  std::int64_t messages = 0;
  Bytes bytes = 0;  ///< without headers
};

struct Forecast {
  Nanoseconds time_ns = 0;   ///< until all ranks are done
  Nanoseconds own_ns = 0;    ///< until this rank is done
  Nanoseconds bound_ns = 0;  ///< the least that any algorithm needs
  std::vector<LinkForecast> links = {};
  /// What Open MPI's own component would take; nullopt: not predicted (check/stock.h).
  std::optional<StockForecast> stock = {};
};

/// Larger communicators are not predicted: it would take long.
inline constexpr Rank kMostRanksPredicted = 256;

enum class Extent : std::uint8_t { own_plan, with_stock };

/// Of the call that rank `me` plans; nullopt where it does not know all counts, and on too many ranks.
std::optional<Forecast> forecast(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                                 Extent extent);

/// "bcast of 1048576 bytes from rank 0"
std::string title_of(const Call& call);

}  // namespace wan
