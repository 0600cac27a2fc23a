// SPDX-License-Identifier: BSD-3-Clause
// What the cost model says of a cell: the simulator (check/simulate.h) runs the Programs that coll_wan plans
// for it with its default parameters. No MPI here. Tested by bench/collectives/prediction_test.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/collectives/comparison.h"
#include "cost/model.h"

namespace wan::bench {

/// The peer that is predicted.
inline const std::string kPredicted = "coll_wan";

/// What the model must know of the lab (bench/lab), whose IP packets have up to `mtu` bytes: what
/// wan-calibrate wrote into `file` (the ranks share the processors of one machine), or Machine's defaults if
/// there is no such file.
Result<Machine> lab_machine(const std::string& file, Bytes mtu = 9'000);

/// From the common entry to the end of the last step of all ranks. Of an alltoallv or alltoallw with its
/// survey, which is taken to have ended everywhere before the call's own steps begin.
Nanoseconds predict(const Cell& cell, const Model& model, const Distribution& distribution = {});

/// Fills in the predictions. None for the overlapped form: of its time only what exceeds the computation is
/// measured.
void add_predictions(std::vector<Comparison>& comparisons, const Model& model,
                     const Distribution& distribution = {});

/// The median over all cells of the error's absolute value; nullopt if nothing was predicted.
std::optional<double> median_error(std::span<const Comparison> comparisons);

}  // namespace wan::bench
