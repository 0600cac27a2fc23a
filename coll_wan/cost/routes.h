// SPDX-License-Identifier: BSD-3-Clause
// Which way what a site sends takes to the others, where a link is so slow or so long that it pays to let a
// third site pass some of it on: weighted trees over the sites. What leaves a site is cut into stripes, and
// each goes over one of its trees; the tree that sends everything directly is a star.
//
//   a -> d is slow:    11 of 48 stripes:  a            37 of 48:   a
//                                       b c d                     b c
//                                                                   d
//
// A site may be reached by the same bytes as the others (multicast: allgather), or by bytes of its own, which
// every site on the way carries (unicast: alltoall). The mirror image, from all sites to one with sums made
// on the way, is that of the reversed network.
//
// The trees are found by a local search from the stars: of the link that is done last, some stripes are hung
// below another site, if the links that this touches are done earlier. It ends when nothing helps or its work
// is used up. Integers only (invariant 8), bounded work. Source: papers/000 (trees weighted by latency and
// injection time), with the weights following the load; blueprint, section 5. No threads. Tested by
// tests/unit/cost_routes.cc and, against the simulator, by tests/property/simulations.cc.
#pragma once

#include <optional>
#include <vector>

#include "base/types.h"
#include "cost/network_view.h"
#include "cost/site_matrix.h"
#include "topo/topology.h"

namespace wan {

inline constexpr int kStripes = 48;
/// No path of a tree has more links.
inline constexpr int kRouteHops = 3;
inline constexpr SiteIndex kNoSite = -1;

/// Some stripes of what leaves a site.
struct RouteTree {
  int stripes = kStripes;
  std::vector<SiteIndex> parents;  ///< of each site; kNoSite: of the source, and of sites that need nothing

  friend bool operator==(const RouteTree&, const RouteTree&) = default;
};

/// Where a tree's stripes may be, and when: nanoseconds after the beginning at which its first piece and its
/// last byte are there.
struct Presence {
  Nanoseconds first_ns = 0, last_ns = 0;
};

struct Routes {
  /// By source; their stripes add up to kStripes. None where nothing leaves the site.
  std::vector<std::vector<RouteTree>> trees;
  /// By source, tree and site.
  std::vector<std::vector<std::vector<Presence>>> presence;
  Nanoseconds time_ns = 0;  ///< when all have what they need; the inside of sites is not counted
};

/// Sources, the parts of some added up, whose stripes take the same link.
Count most_on_a_link(const Routes& routes);

/// What every site must have of every other.
struct RouteDemand {
  SiteMatrix<std::optional<Bytes>> bytes;  ///< nullopt: nothing
  bool is_multicast = false;               ///< a row's entries are equal, and the same bytes
  int least_stripes = 1;  ///< of a tree: fewer make too short messages; kStripes: one way each
};

/// Everything directly.
Routes direct_routes(const Network& network, const RouteDemand& demand);
/// The best that are found, if they take less time than the direct ones by a twentieth, or, in an estimated
/// network, by a third; nullopt: they do not, or there are more than kMostSites sites, and a search would
/// take too long. `piece`: bytes that a site has before it passes them on. backward: the mirror image.
std::optional<Routes> relayed_routes(const Network& network, const RouteDemand& demand, Bytes piece,
                                     Direction direction = Direction::forward);

}  // namespace wan
