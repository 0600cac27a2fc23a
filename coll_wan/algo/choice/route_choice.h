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

/// The routes of `call`, if they are quicker than sending everything directly; those of a reduce_scatter are
/// those from each site to all others on the reversed network. nullopt where the counts are not known to all,
/// and where a site's ranks have no common value (a reduction in rank order over sites that are not
/// contiguous). Equal on every rank.
std::optional<Routes> relayed_routes_of(const Topology& topology, const Tuning& tuning, const Call& call);

/// Units of the blocks of a site's ranks in an allgather(v), reduce_scatter(_block), gather, scatter.
Count blocks_of(const Layout& layout, const Call& call, SiteIndex site);

}  // namespace wan
