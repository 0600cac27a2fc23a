// SPDX-License-Identifier: BSD-3-Clause
// Partial results of a reduction: values that cover some ranks, and how they are combined in the order that
// the call asks for (cost/combining.h). Any tree over any layout of the ranks keeps it: on the way up, values
// that have become adjacent are joined.
//
//   in rank order, set {0 1 2 5 6 9}: runs 0-2, 5-6, 9;  joined with {3 4}: runs 0-6, 9
#pragma once

#include <span>
#include <vector>

#include "algo/choice/shards.h"
#include "algo/exchange/lanes.h"
#include "algo/exchange/position.h"
#include "cost/combining.h"
#include "cost/routes.h"
#include "plan/builder.h"
#include "plan/call.h"

namespace wan {

struct Partial {
  Run run;
  Range value;
  /// May the value be overwritten? (Not the user's input, nor what must still be sent as it is.)
  enum class Use : std::uint8_t { read_only, writable } use = Use::writable;
};

/// Joins the partials that may be: in any order all of them, as given; otherwise sorts by rank and joins
/// neighbours. Each joined value stands where its last operand stood, or in new scratch if that is
/// read-only.
std::vector<Partial> joined(Builder& b, std::vector<Partial> partials, Combining combining);
/// What `partials`, which cover all ranks or those before one, come to.
Partial product(Builder& b, std::vector<Partial> partials, Combining combining);

/// Partials for `runs` in new scratch, and the ranges of their values in message order.
std::vector<Partial> new_partials(Builder& b, std::span<const Run> runs, Count length);
std::vector<Range> values_of(std::span<const Partial> partials);

/// Up the tree of the own site: receives the partials of the children's subtrees, joins them with `own` (this
/// rank's contribution) and sends the result to the parent. Returns the partials of this rank's subtree.
std::vector<Partial> reduce_in_site(Builder& b, const Position& position, Range own, Combining combining);

/// This rank's contribution; where it stands in the output, and this rank coordinates, it is moved away.
Range own_of(Builder& b, const Lanes& lanes, const Call& call);

/// Up the trees of all lanes: what this rank's subtree in each lane has of its share of the vector `own`
/// (nullopt: nothing itself). Sends nothing; what a process below brings from the wide area comes last.
std::vector<std::vector<Partial>> collect_in_site(Builder& b, const Lanes& lanes, std::optional<Range> own,
                                                  Combining combining);
/// The same, and sends what this rank does not coordinate to its parents.
std::vector<std::vector<Partial>> reduce_in_site(Builder& b, const Lanes& lanes, Range own,
                                                 Combining combining);

/// `length` units from `offset` of each of the partials.
std::vector<Partial> slice(std::span<const Partial> partials, Count offset, Count length);

/// At a coordinator: the partials, of `length` units, of all sites that it hears, in the order of the sites:
/// `own` and, from each other coordinator, the next message.
std::vector<Partial> partials_of_sites(Builder& b, const Position& position, std::span<const Partial> own,
                                       Count length, Combining combining);

/// The same where other sites pass partials on, and each site has one; `own` is kept as it is. Of the sites
/// that `routes` bring to this one.
std::vector<Partial> partials_of_sites_relayed(Builder& b, const Position& position, const Partial& own,
                                               const Routes& routes, Combining combining);

/// A shard, and the product of the contributions to it, where this site owns it.
struct ReducedShard {
  Shard shard;
  std::optional<Partial> value;
};
/// A site that keeps what it has of others' shards, or that has nothing.
struct RootSite {
  std::optional<SiteIndex> site = {};
  bool contributes = true;
};
/// Each coordinator, with the partials of its site's ranks, brings `shards` to their owners, who join them in
/// the order of the sites, or of the ranks.
std::vector<ReducedShard> reduce_at_owners(Builder& b, const Position& position, std::span<const Partial> own,
                                           std::span<const Shard> shards, Combining combining,
                                           const RootSite& root = {});

}  // namespace wan
