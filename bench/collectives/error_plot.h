// SPDX-License-Identifier: BSD-3-Clause
// The error of the cost model as a picture: predicted against measured time, a point for each cell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/collectives/comparison.h"

namespace wan::bench {

/// Draws model-error.svg and .png into `directory`, with the line of equality and the band of a tenth around
/// it; returns the paths of what came out. Cells without a prediction are left out; of none there is no
/// picture.
std::vector<std::string> draw_model_error(std::span<const Comparison> comparisons, const std::string& title,
                                          const std::string& directory);

}  // namespace wan::bench
