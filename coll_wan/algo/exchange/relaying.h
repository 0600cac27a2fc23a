// SPDX-License-Identifier: BSD-3-Clause
// Messages that take the way of cost/routes.h, which other sites may pass on. Of what leaves a site
// over one tree, bytes are passed on segment by segment. What a link carries goes in the order in which it is
// there: what is passed on later first, so that it is on its way, and what comes from elsewhere when it has
// come. Tested by tests/unit/algo_relaying.cc and, as part of every schedule, by tests/property.
//
//   0, 1 at a;  2 at b;  3 at c: a's blocks for c, half of them by way of b
//     allgather:  0 ===> 3: first half   0 ===> 2 ===> 3: second half (of what 2 needs itself)
//     alltoall:   0 ===> 3: first half of 0's block for 3   0 ===> 2 ===> 3: the other, which 2 keeps in
//     scratch
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "algo/choice/shards.h"
#include "algo/exchange/blocks.h"
#include "algo/exchange/position.h"
#include "cost/routes.h"
#include "plan/builder.h"
#include "plan/call.h"

namespace wan {

/// One message between two sites, of what `source` sends to all others.
struct Leg {
  SiteIndex source, from, to;
  Count offset, length;  ///< units, of all that the source sends
  Nanoseconds when_ns;   ///< that the receiver has it, about
};

/// Those of one site, each list in the order of the messages of every pair of sites.
struct SiteLegs {
  std::vector<Leg> received, sent;
};
/// lengths: of what each site sends, in units.
SiteLegs legs_of(const Routes& routes, SiteIndex site, std::span<const Count> lengths,
                 const Segmentation& segmentation);

/// What each of a source's trees carries of `length` units, in the order of the trees, as shards that nobody
/// owns.
Shards stripes_of(std::span<const RouteTree> trees, Count length);

/// `length` units from `offset` of `all`.
RangeList slice(const RangeList& all, Count offset, Count length);

/// The same of the mirror image, in which sums go the other way: received from those that would be sent to.
SiteLegs mirrored(SiteLegs legs);

/// At a coordinator: sends the own site's of `places` to all that need it, receives the others' and
/// passes them on. places: of what each site sends.
void exchange_relayed(Builder& b, const Position& position, const SiteLegs& legs,
                      std::span<const RangeList> places);

/// One message, a segment, of some stripes of the block from `source` to `destination`.
struct BlockLeg {
  Rank source, destination, from, to;
  Count offset, length;  ///< units, of the block
  Nanoseconds when_ns;   ///< that the sender has it, about; below 0: of its own, and to be passed on
};

/// Those that this rank sends or receives, in the order of the messages of every pair of ranks: of gather the
/// blocks for the root, of scatter those from it, of alltoall all. Its own block is none.
std::vector<BlockLeg> block_legs_of(const Position& position, const Routes& routes, const Call& call,
                                    const Segmentation& segmentation);

/// Sends, receives and passes on these: own(destination) is a block of this rank's, result(source) the place
/// of one for it.
using BlockPlace = std::function<Range(Rank)>;
void exchange_blocks_relayed(Builder& b, const Position& position, const Routes& routes, const Call& call,
                             const BlockPlace& own, const BlockPlace& result);

}  // namespace wan
