// SPDX-License-Identifier: BSD-3-Clause
// Who takes care of which part of a long vector (cost/spread.h). The owner of a part gets it, or everybody's
// contribution to it, and passes on what it is or has become. A short vector is one part, owned by the root's
// site or, where there is no root, by every site: then nothing is passed on, and one inter-site latency does.
// Tested by tests/unit/algo_parts.cc.
//
//   bcast, root at site 0:    0 ===> 1: part of 1        then  1 ===> 2, 3: part of 1       (also 2 and 3)
//                             0 ===> 2: part of 2              0 ===> 1, 2, 3: part of 0
#pragma once

#include <optional>
#include <vector>

#include "algo/tuning.h"
#include "cost/spread.h"
#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

struct Part {
  std::optional<SiteIndex> owner;  ///< nullopt: every site
  Count offset = 0, length = 0;    ///< units of the call's vector

  Range of(const Range& vector) const { return vector.part(offset, length); }
};
using Parts = std::vector<Part>;

/// The parts of call.block units, ascending, none of them empty unless all is. Equal on every rank. One part:
/// of a reduction in rank order, where an owner would need the root's contribution; of a scan in fixed order
/// or where a site's ranks are not contiguous; of all that is not a vector; where several would take
/// `below_ns` or longer.
Parts parts_of(const Topology& topology, const Tuning& tuning, const Call& call,
               Nanoseconds below_ns = kAnyTime);

}  // namespace wan
