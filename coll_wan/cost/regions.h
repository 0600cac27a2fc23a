// SPDX-License-Identifier: BSD-3-Clause
// Sites that are near each other and far from the others make a region. Trees over the sites that use all
// links between two regions: each far region gets every byte once, in stripes that enter it at all of its
// sites, and its sites pass them on to each other.
//
//   two regions, {a, b} and {x, y}: what a sends    half of it:  a          half of it:  a
//                                                               b x                     b y
//                                                                 y                       x
//
// A region is found by the gaps between what links take: two sites are in one if a chain of quick links joins
// them, and links that are slower than the slowest of them by a factor lie between regions. A network has a
// partition into regions for each gap, or none. No threads. Tested by tests/unit/cost_regions.cc.
#pragma once

#include <vector>

#include "base/types.h"
#include "cost/network_view.h"
#include "cost/routes.h"

namespace wan {

/// Sites by region, ascending.
using Regions = std::vector<std::vector<SiteIndex>>;

/// The partitions into two regions or more, of which one has several sites, from the smallest regions to the
/// largest. How long a link takes is what it does for so many bytes.
std::vector<Regions> regions_of(const View& network, Bytes bytes);

/// By which sites of its own region what a site sends leaves it.
enum class Exit : std::uint8_t { source, region };
/// By which of its sites a stripe enters a region: by one, which passes it on, or by each.
enum class Entry : std::uint8_t { one, each };

/// The trees of `source` instead of its star (parents of each site), of whose sites those that are `wanted`
/// need what is sent. Empty: no other region needs it, or there would be more than `most`, kStripes or fewer.
std::vector<RouteTree> regional_trees(const Regions& regions, SiteIndex source,
                                      const std::vector<SiteIndex>& star, const std::vector<bool>& wanted,
                                      Exit exit, Entry entry, int most = kStripes);

}  // namespace wan
