// SPDX-License-Identifier: BSD-3-Clause
// The quickest flow: the least time in which a number of bytes can get from some sites to some others over
// all the links of a Network at once, relays allowed. Every lower bound of cost/bounds.h is made of such
// times.
//
// Argument: by the time T a path of latency c and rate x has delivered at most x (T - c) bytes, and the most
// that all paths together can deliver is the sum over the augmenting paths of a cheapest-path-first maximum
// flow. Source: Ford & Fulkerson, Constructing maximal dynamic flows from static flows (Operations Research
// 6, 1958); Burkard, Dlaska & Klinz, The quickest flow problem (1993). Tested by
// tests/unit/cost_quickest_flow.cc.
#pragma once

#include <span>

#include "base/types.h"
#include "topo/topology.h"

namespace wan {

/// Nanoseconds, rounded down, that `bytes` (0 or more; 0: the latency of the cheapest path) need at least
/// from `sources` to `sinks`: disjoint, not empty. Links, uplinks and downlinks carry no more than their
/// rate.
Nanoseconds quickest_time(const Network& network, std::span<const SiteIndex> sources,
                          std::span<const SiteIndex> sinks, Bytes bytes);

}  // namespace wan
