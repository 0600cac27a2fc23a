// SPDX-License-Identifier: BSD-3-Clause
// Why a call is carried out as it is: one line for coll_wan_explain. Knows nothing of Open MPI; no threads.
// Tested by tests/unit/process_explanation.cc.
#pragma once

#include <string>

#include "process/forecast.h"

namespace wan {

/// The chosen algorithm, the time that the simulator (check/simulate.h) predicts for it, the lower bound,
/// what crosses the wide area, and the predicted time of the best other algorithm. Without the predictions
/// where rank `me` does not know all counts, and on more than 256 ranks, where they would take long.
/// One line:
///   bcast of 1048576 bytes from rank 0: spread, predicted 46.214 ms (lower bound 37.962 ms), 96 messages
///   with 4194304 bytes between sites; next best: direct with 94.911 ms
std::string explain(const Topology& topology, const Tuning& tuning, Rank me, const Call& call);
/// The same; `predicted` is forecast(topology, tuning, me, call, ...).
std::string explain(const Topology& topology, const Tuning& tuning, Rank me, const Call& call,
                    const std::optional<Forecast>& predicted);

/// What is believed of links from now on, where it is something else:
///   links are not as they were believed to be: a to b has 10.1 ms and 12.4 MB/s instead of 10.0 ms and 1.2
///   MB/s; what leaves a has ...
/// The first few of them.
std::string correction_text(const Layout& layout, const Network& before, const Network& after);

}  // namespace wan
