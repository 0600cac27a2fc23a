// SPDX-License-Identifier: BSD-3-Clause
// Figure 1 of Mateescu & Taylor: six nodes, every edge with weight 1, over the injection time. Who wins on
// which side of 1/2.
#pragma once

#include <string>

namespace wan::bench {

/// Prints a table and leaves figure-one.csv and figure-one.svg in `directory`. Times in units of the weight.
void run_figure_one(const std::string& directory);

}  // namespace wan::bench
