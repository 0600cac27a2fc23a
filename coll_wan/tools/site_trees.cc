// SPDX-License-Identifier: BSD-3-Clause
#include "tools/site_trees.h"

#include "algo/choice/choice.h"
#include "algo/exchange/position.h"

namespace wan::tools {

Tree tree_of(const Topology& topology, const Tuning& tuning, const GlobalCall& call, SiteIndex site) {
  const auto root = traits(call.collective).rooted ? std::optional(call.root) : std::nullopt;
  const Rank first = topology.layout.ranks_of(site).front();
  const Call view = call.view(first);
  return Position(topology, tuning, first, root,
                  load_of(topology, site, view, choose(topology, tuning, view).inside_sites))
      .tree();
}

}  // namespace wan::tools
