// SPDX-License-Identifier: BSD-3-Clause
// How a call is carried out: what planners of every rank must agree upon, decided once for each call from
// what every rank knows, and equal on all of them. Tested by tests/unit/algo_choice.cc and algo_algorithm.cc.
#pragma once

#include <optional>

#include "algo/choice/way.h"
#include "algo/tuning.h"
#include "plan/call.h"
#include "plan/segmentation.h"
#include "topo/topology.h"

namespace wan {

struct Choice {
  Way way;
  Segmentation segmentation;  ///< of messages between sites
  Segmentation inside_sites;  ///< of those inside a site
  int lanes = 1;  ///< processes of a site that share what crosses the wide area (algo/exchange/lanes.h)
  std::optional<Topology> halves = {};  ///< instead of the topology, where there are (algo/choice/halves.h)

  Algorithm algorithm() const { return algorithm_of(way); }
};

/// Who owns which shard of call.block units: where it is not spread one shard, the root's site's or, without
/// a root, every site's.
Shards shards_of(const Layout& layout, const Call& call, const Way& way);

/// What is forced, or what the links, what connections can carry over them (algo/choice/lane_choice.h) and
/// lengths come to.
Choice choose(const Topology& topology, const Tuning& tuning, const Call& call);

}  // namespace wan
