// SPDX-License-Identifier: BSD-3-Clause
#include "algo/choice/halves.h"

#include <numeric>
#include <vector>

namespace wan {

namespace {

bool makes_halves(const Call& call) {
  return call.is_inter() && !traits(call.collective).rooted && call.collective != Collective::alltoall;
}

}  // namespace

std::optional<Topology> halves_for(const Topology& topology, const Call& call) {
  if (!makes_halves(call)) return std::nullopt;
  std::vector<Rank> ranks(static_cast<std::size_t>(topology.layout.size()));
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  return part_of(topology, topology.layout.split_at(call.split), ranks, topology.machine.site_link);
}

Topology restricted_to(const Topology& topology, std::span<const Rank> ranks) {
  return part_of(topology, topology.layout.of(ranks), ranks, topology.machine.site_link);
}

Topology with_root(const Topology& topology, Rank root, const RankInterval& others) {
  std::vector<Rank> ranks(static_cast<std::size_t>(others.size()) + 1, root);
  std::iota(ranks.begin() + 1, ranks.end(), others.first);
  return restricted_to(topology, ranks);
}

}  // namespace wan
