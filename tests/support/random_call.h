// SPDX-License-Identifier: BSD-3-Clause
// Random calls on random communicators, for RapidCheck: sites, hosts and NUMA domains in any layout, any
// root, sizes, operand order, MPI_IN_PLACE and tree shape. Used inside a property only; no threads.
#pragma once

#include <iosfwd>
#include <vector>

#include "algo/tuning.h"
#include "plan/global_call.h"
#include "tests/support/pick.h"

namespace wan {

struct RandomCall {
  std::vector<Path> paths;
  std::vector<bool> near_network;  ///< by rank; empty: nobody knows
  std::vector<Link> links;         ///< sites x sites
  Tuning tuning;
  GlobalCall call;

  Topology topology() const;
};

std::ostream& operator<<(std::ostream& out, const RandomCall& random);

/// A call of `collective` on `least_ranks` to `most_ranks` (at most 40) ranks, small communicators more often
/// than large ones.
RandomCall random_call(Collective collective, Rank least_ranks, Rank most_ranks);
/// Slow links and longer blocks: vectors for which other ways than the direct ones pay.
void make_long(RandomCall& random);
/// The Programs that plan() makes of it.
Schedule schedule_of(const RandomCall& random);

}  // namespace wan
