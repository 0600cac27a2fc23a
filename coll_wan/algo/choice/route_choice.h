// SPDX-License-Identifier: BSD-3-Clause
// For which calls it pays that sites pass on what others send (cost/routes.h). Tested by
// tests/unit/algo_relaying.cc.
#pragma once

#include <optional>

#include "algo/choice/proposal.h"
#include "cost/routes.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

/// Are there sites enough, and not too many? Between two groups no site passes anything on.
bool can_be_relayed(const Layout& layout, const Call& call);
/// The routes of `demand`, if they are quicker than sending everything directly, by a twentieth.
std::optional<Proposal> propose_routes(const Question& question, const RouteDemand& demand,
                                       Direction direction = Direction::forward);
/// RouteDemand::least_stripes, where the shortest thing that is cut into stripes has so many units.
int least_stripes(Count units, Bytes unit_bytes);

/// Units of the blocks of a site's ranks in an allgather(v), reduce_scatter(_block), gather, scatter.
Count blocks_of(const Layout& layout, const Call& call, SiteIndex site);

}  // namespace wan
