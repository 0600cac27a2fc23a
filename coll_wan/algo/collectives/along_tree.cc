// SPDX-License-Identifier: BSD-3-Clause
// Broadcast and reduce along a tree over the sites (algo/choice/wide_tree.h): each coordinator has the vector
// from the coordinator of the site above, or sends it there with all that was combined below, and goes on
// inside its site as ever.
//
//   root 0, tree a -> b -> c:   0 ===> 3 ===> 6;  0 -> 1, 2;  3 -> 4, 5;  6 -> 7     WAN: a latency for each
//   link of a path.
#include <algorithm>

#include "algo/collectives/collectives.h"
#include "algo/exchange/call_builder.h"
#include "algo/exchange/partial.h"

namespace wan {

namespace {

/// The ranks of a site and of those below it in the tree, ascending.
std::vector<Rank> ranks_below(const Position& position, const BroadcastTree& tree, SiteIndex site) {
  std::vector<SiteIndex> sites{site};
  std::vector<Rank> ranks;
  for (std::size_t next = 0; next < sites.size(); ++next) {
    for (const SiteIndex child : tree.children_of(sites[next])) sites.push_back(child);
    for (const Rank rank : position.ranks_of(sites[next])) ranks.push_back(rank);
  }
  std::ranges::sort(ranks);
  return ranks;
}

/// The coordinator of the site above.
std::optional<Rank> parent_coordinator(const Position& position, const BroadcastTree& tree) {
  const auto parent = tree.parent_of(position.site());
  return parent ? std::optional(position.coordinator_of(*parent)) : std::nullopt;
}

}  // namespace

Program plan_bcast_along_tree(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  const BroadcastTree& tree = std::get<TreeWay>(choice.way).tree.tree;
  if (const auto from = position.is_coordinator() ? parent_coordinator(position, tree) : position.parent())
    b.receive(*from, b.output());
  if (position.is_coordinator())
    for (const SiteIndex child : tree.children_of(position.site()))
      b.send(position.coordinator_of(child), b.output());
  for (const Rank child : position.children()) b.send(child, b.output());
  return std::move(b).finish();
}

Program plan_reduce_along_tree(const Position& position, const Call& call, const Choice& choice) {
  Builder b = builder_for(position, call, choice);
  if (call.block == 0) return std::move(b).finish();
  const BroadcastTree& tree = std::get<TreeWay>(choice.way).tree.tree;
  auto partials = reduce_in_site(b, position, b.me() == call.root ? kept_contribution(b, call) : b.input(),
                                 call.combining());
  if (!position.is_coordinator()) return std::move(b).finish();
  for (const SiteIndex child : tree.children_of(position.site())) {
    const auto below =
        new_partials(b, runs_of(ranks_below(position, tree, child), call.combining()), call.block);
    b.receive(position.coordinator_of(child), values_of(below));
    partials.insert(partials.end(), below.begin(), below.end());
  }
  if (const auto parent = parent_coordinator(position, tree))
    b.send(*parent, values_of(joined(b, std::move(partials), call.combining())));
  else
    b.copy(product(b, std::move(partials), call.combining()).value, b.output());
  return std::move(b).finish();
}

}  // namespace wan
