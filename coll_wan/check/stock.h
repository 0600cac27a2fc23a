// SPDX-License-Identifier: BSD-3-Clause
// What Open MPI's own component for collectives, tuned, would take for a call: its well-known algorithms as
// Schedules, which verify() finds correct and simulate() times like any other. Which algorithm it takes
// follows from the ranks and the length, by the fixed rules of Open MPI 4.1 (tuned's decisions when nobody
// configures it; messages are not cut there); 5.0 has the same but for details. It knows nothing of sites, so
// neither does this.
//
// Not every algorithm of tuned is here. Where it would take another one (Bruck's, neighbour exchange,
// butterfly, split binary), on intercommunicators, in vector forms and with operators that do not commute,
// there is no forecast. Tested by tests/unit/check_stock.cc.
#pragma once

#include <optional>
#include <string_view>

#include "cost/model.h"
#include "plan/global_call.h"
#include "plan/program.h"

namespace wan {

/// tuned's names.
enum class StockAlgorithm : std::uint8_t {
  linear,
  pipeline,
  binary,
  binomial,
  knomial,
  scatter_allgather,
  recursive_doubling,
  ring,
  rabenseifner,
  pairwise
};
std::string_view name_of(StockAlgorithm algorithm);

/// The one that tuned takes; nullopt if it is none of these.
std::optional<StockAlgorithm> stock_algorithm(const GlobalCall& call);
/// All Programs of the call. `algorithm`: one that tuned has for the collective.
Schedule stock_schedule(const GlobalCall& call, StockAlgorithm algorithm);

struct StockForecast {
  StockAlgorithm algorithm;
  Nanoseconds time_ns;  ///< until all ranks are done
};
std::optional<StockForecast> forecast_stock(const Model& model, const GlobalCall& call);

}  // namespace wan
