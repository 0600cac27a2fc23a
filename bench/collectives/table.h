// SPDX-License-Identifier: BSD-3-Clause
// Comparisons as people and as programs read them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/collectives/comparison.h"

namespace wan::bench {

/// A table for each size, with one line a cell: times in milliseconds, the bound, the last peer in multiples
/// of the bound and its speed-up over the best of the others. Below them what the marks behind times mean
/// (bench/common/peer_times.h), if there are any.
std::string to_table(std::span<const Comparison> comparisons, const std::vector<std::string>& peers);

/// One line a cell and peer, times in nanoseconds.
std::string to_csv(std::span<const Comparison> comparisons, const std::vector<std::string>& peers);

/// "bcast", with the root where it is not rank 0.
std::string label(const Cell& cell);

}  // namespace wan::bench
