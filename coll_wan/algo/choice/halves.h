// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators. Where two groups share a site, what their coordinators and trees do has nothing in
// common: each group's half of a site is planned for as a site of its own, next door to the other. Not where
// each rank has something else for each other, so that all that one site has for another travels together,
// nor where one group is a root alone.
// Tested by tests/unit/algo_halves.cc and, as part of every schedule, by tests/property.
//
//   groups {0 1 2} and {3 4}, rank 3 in the site of 0 and 1:   {0 1} {2} {3 4}  ->  {0 1} {2} {3} {4}
#pragma once

#include <optional>
#include <span>

#include "plan/call.h"
#include "topo/topology.h"

namespace wan {

/// What plans of `call` are made from; nullopt: `topology` itself.
std::optional<Topology> halves_for(const Topology& topology, const Call& call);

/// Of these ranks alone, which become 0, 1, ...
Topology restricted_to(const Topology& topology, std::span<const Rank> ranks);

/// Those who take part in a rooted collective, as a communicator of their own: the root, rank 0, and the
/// group of `others`.
Topology with_root(const Topology& topology, Rank root, const RankInterval& others);

}  // namespace wan
