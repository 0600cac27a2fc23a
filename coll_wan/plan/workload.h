// SPDX-License-Identifier: BSD-3-Clause
// One collective call seen from above: what no single rank need know, and what its bound and its least
// traffic follow from. Only checks, tests and tools ever hold one. Tested by tests/unit/plan_workload.cc.
#pragma once

#include <span>
#include <vector>

#include "cost/demand.h"
#include "plan/call.h"

namespace wan {

struct Workload {
  Collective collective = Collective::barrier;
  Rank root = 0;
  OperandOrder order = OperandOrder::any;
  Bytes block = 0;  ///< as Call::block; the vector forms have `counts`
  /// Vector forms: each rank's share; alltoallv, alltoallw: ranks x ranks, row-major by sender.
  std::vector<Bytes> counts;
};

/// The call whose parts are calls[rank], with units of `unit_bytes`.
Workload workload_of(std::span<const Call> calls, Bytes unit_bytes);
/// What `workload` asks of the wide area between the sites of `layout`.
Demand demand_of(const Layout& layout, const Workload& workload);

}  // namespace wan
