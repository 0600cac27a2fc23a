// SPDX-License-Identifier: BSD-3-Clause
// One application for several peers.
#pragma once

#include "bench/apps/app_comparison.h"
#include "bench/apps/runs.h"
#include "bench/common/passes.h"

namespace wan::bench {

/// Rounds of each pass.
struct Rounds {
  int repetitions = 3, warm_up = 1;
};

/// The program of a run in this build tree.
std::string program_file(const PassOptions& options, const AppRun& run);

/// All peers' passes of one application; logs and rows begin with `name`.
Result<AppComparison> compare_app(const PassOptions& options, const Rounds& rounds,
                                  const std::vector<Peer>& peers, const Place& place, const std::string& name,
                                  const AppRun& run);

}  // namespace wan::bench
