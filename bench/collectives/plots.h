// SPDX-License-Identifier: BSD-3-Clause
// Plots by gnuplot: bars in multiples of the bound, one group a collective, one picture for each form and
// size; and, where there are several sizes, time over size, one panel a collective.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/collectives/comparison.h"

namespace wan::bench {

/// Writes data, gnuplot scripts and pictures (SVG and PNG) into `directory`; returns the pictures' paths,
/// none if there is no gnuplot.
std::vector<std::string> draw(std::span<const Comparison> comparisons, const std::vector<std::string>& peers,
                              const std::string& title, const std::string& directory);

}  // namespace wan::bench
