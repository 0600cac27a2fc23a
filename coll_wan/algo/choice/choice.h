// SPDX-License-Identifier: BSD-3-Clause
// How a call is carried out: what planners of every rank must agree upon, decided once for each call from
// what every rank knows, and equal on all of them. Tested by tests/unit/algo_choice.cc and algo_algorithm.cc.
#pragma once

#include <optional>

#include "algo/algorithm.h"
#include "algo/choice/parts.h"
#include "algo/choice/wide_tree.h"
#include "algo/tuning.h"
#include "cost/routes.h"
#include "plan/call.h"
#include "plan/segmentation.h"
#include "topo/topology.h"

namespace wan {

struct Choice {
  Algorithm algorithm = Algorithm::direct;  ///< never `automatic`
  Parts parts;                ///< of call.block units; more than the call's own part only where it is spread
  Segmentation segmentation;  ///< of messages between sites
  Segmentation inside_sites;  ///< of those inside a site
  std::optional<Routes> routes = {};  ///< where it is relayed
  std::optional<WideTree> tree = {};  ///< where it goes along a tree over the sites
  int lanes = 1;  ///< processes of a site that share what crosses the wide area (algo/exchange/lanes.h)
};

/// What is forced, or what the links, what connections can carry over them (algo/choice/lane_choice.h) and
/// lengths come to.
Choice choose(const Topology& topology, const Tuning& tuning, const Call& call);

}  // namespace wan
