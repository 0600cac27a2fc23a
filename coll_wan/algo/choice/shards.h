// SPDX-License-Identifier: BSD-3-Clause
// Who takes care of which shard of a long vector (cost/spread.h). The owner of a shard gets it, or
// everybody's contribution to it, and passes on what it is or has become. A short vector is one shard, owned
// by the root's site or, where there is no root, by every site: then nothing is passed on, and one inter-site
// latency does. Tested by tests/unit/algo_shards.cc.
//
//   bcast, root at site 0:    0 ===> 1: shard of 1       then  1 ===> 2, 3: shard of 1       (also 2 and 3)
//                             0 ===> 2: shard of 2             0 ===> 1, 2, 3: shard of 0
#pragma once

#include <optional>
#include <vector>

#include "base/types.h"
#include "plan/program.h"

namespace wan {

struct Shard {
  std::optional<SiteIndex> owner;  ///< nullopt: every site
  Count offset = 0, length = 0;    ///< units of the call's vector

  Range of(const Range& vector) const { return vector.slice(offset, length); }
};
/// Ascending, none of them empty unless all is.
using Shards = std::vector<Shard>;

}  // namespace wan
