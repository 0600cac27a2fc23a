// SPDX-License-Identifier: BSD-3-Clause
// Broadcast (papers/004, section 3.2): the root sends to the coordinator of every other site, farthest first, and each
// coordinator down the tree of its site. A long vector is spread over the sites first (algo/parts.h).
//
//   root 4:   4 ===> 0 -> 1, 2     WAN: one latency, m bytes into each other site.
//             4 -> 3, 5            Spread: two latencies, m bytes into each other site, a part of them over each link.
#include "algo/collectives.h"
#include "algo/parts.h"

namespace wan {

namespace {

/// The root's site sends each part to its owner.
void scatter(Builder& b, const Position& position, std::span<const Part> parts) {
  for (const SiteIndex site : position.other_sites())
    for (const Part& part : parts)
      if (part.owner == site) b.send(position.coordinator_of(site), part.of(b.output()));
}

/// A part goes from its owner to all other sites that do not have it: all but the root's.
void pass_on(Builder& b, const Position& position, const Part& part, SiteIndex root_site) {
  for (const SiteIndex site : position.other_sites())
    if (site != root_site) b.send(position.coordinator_of(site), part.of(b.output()));
}

void receive(Builder& b, const Position& position, std::span<const Part> parts, SiteIndex root_site) {
  for (const Part& part : parts)
    if (part.owner == position.site()) b.receive(position.coordinator_of(root_site), part.of(b.output()));
  for (const Part& part : parts)
    if (part.owner != position.site()) b.receive(position.coordinator_of(*part.owner), part.of(b.output()));
}

void exchange_between_sites(Builder& b, const Position& position, std::span<const Part> parts, SiteIndex root_site) {
  if (position.site() == root_site)
    scatter(b, position, parts);
  else
    receive(b, position, parts, root_site);
  for (const Part& part : parts)
    if (part.owner == position.site()) pass_on(b, position, part, root_site);
}

}  // namespace

Program plan_bcast(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const auto segments = in_turn(streams_of(b.output(), choice.parts), b.segmentation());
  if (position.is_coordinator())
    exchange_between_sites(b, position, choice.parts, position.layout().site_of(call.root));
  else
    for (const RangeList& segment : segments) b.receive(*position.parent(), segment);
  for (const Rank child : position.children())
    for (const RangeList& segment : segments) b.send(child, segment);
  return std::move(b).finish();
}

}  // namespace wan
