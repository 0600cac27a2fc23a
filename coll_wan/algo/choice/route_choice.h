// SPDX-License-Identifier: BSD-3-Clause
// For which calls it pays that sites pass on what others send (cost/routes.h). Tested by
// tests/unit/algo_relaying.cc.
#pragma once

#include <optional>

#include "algo/tuning.h"
#include "cost/routes.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

/// Units of the blocks of a site's ranks in an allgather(v), reduce_scatter(_block), gather, scatter.
Count blocks_of(const Layout& layout, const Call& call, SiteIndex site);

}  // namespace wan
