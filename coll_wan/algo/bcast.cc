// SPDX-License-Identifier: BSD-3-Clause
// Broadcast (papers/004, section 3.2): the root sends to the coordinator of every other site, farthest first, and each
// coordinator down the tree of its site.
//
//   root 4:   4 ===> 0 -> 1, 2     WAN: one latency, m bytes into each other site.
//             4 -> 3, 5
#include "algo/collectives.h"

namespace wan {

Program plan_bcast(const Position& position, const Call& call) {
  Builder b = builder_for(position, call);
  const Range all = b.output();
  if (all.length == 0) return std::move(b).finish();
  if (position.me() == call.root)
    for (const SiteIndex site : position.other_sites()) b.send(position.coordinator_of(site), all);
  else
    b.receive(position.parent().value_or(call.root), all);
  for (const Rank child : position.children()) b.send(child, all);
  return std::move(b).finish();
}

}  // namespace wan
