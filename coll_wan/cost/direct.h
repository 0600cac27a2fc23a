// SPDX-License-Identifier: BSD-3-Clause
// How long a vector takes in one piece, directly between each two sites that need it. What happens inside
// sites is not counted. Tested by tests/unit/cost_spread.cc.
#pragma once

#include "base/types.h"
#include "topo/topology.h"

namespace wan {

/// From one site to all others (broadcast), from all to one (reduction), from each to all others (allreduce),
/// from each to those behind it (scan): nanoseconds.
Nanoseconds direct_from_one_ns(const Network& network, SiteIndex root, Bytes bytes);
Nanoseconds direct_to_one_ns(const Network& network, SiteIndex root, Bytes bytes);
Nanoseconds direct_among_all_ns(const Network& network, Bytes bytes);
Nanoseconds direct_in_order_ns(const Network& network, Bytes bytes);

}  // namespace wan
