// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/stated_traffic.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "algo/choice/aggregation.h"
#include "base/index.h"
#include "base/invariant.h"

namespace wan {

namespace {

// ---- what is read of a Choice

const Shards& shards_of(const Choice& choice) {
  return std::get<SpreadWay>(choice.way).shards;
}

const Routes& routes_of(const Choice& choice) {
  return std::get<RelayedWay>(choice.way).routes;
}

const BroadcastTree& tree_of(const Choice& choice) {
  return std::get<TreeWay>(choice.way).tree.tree;
}

// ---- how it is cut

Count rounded_up(Count dividend, Count divisor) {
  return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
}

/// Messages that `units` are cut into.
std::int64_t pieces_of(const Segmentation& cut, Count units) {
  const Count eager = std::min(units, cut.window);
  return rounded_up(eager, cut.segment) + rounded_up(units - eager, cut.long_segment);
}

/// Units of `whole` before the given one of equal shares.
Count before(Count whole, int share, int shares) {
  return whole * share / shares;
}

/// A call, and how it is carried out; collects what it sends.
class Statement {
 public:
  Statement(const GlobalCall& of, const Topology& topology, const Tuning& tuning, const Choice& chosen)
      : call(of),
        choice(chosen),
        block_limit(aggregate_limit(topology, of.collective, tuning)),
        planned_(planned_layout(topology, chosen)) {}

  const GlobalCall& call;
  const Choice& choice;
  const Count block_limit;  ///< longer blocks go by themselves

  /// The sites that the call is planned for: between groups, the halves of sites.
  const Layout& sites() const { return planned_; }
  Combining combining() const { return {call.order, call.split}; }
  SiteIndex root_site() const { return planned_.site_of(call.root); }
  /// Values that represent what a site has.
  std::int64_t values_of(SiteIndex site) const {
    return std::ssize(runs_of(planned_.ranks_of(site), combining()));
  }

  /// visit(from, to) for all sites of which one hears the other.
  template <class Visit>
  void for_each_pair(Visit visit) const {
    for (SiteIndex from = 0; from < planned_.sites(); ++from)
      for (SiteIndex to = 0; to < planned_.sites(); ++to)
        if (from != to && hears(to, from)) visit(from, to);
  }
  /// visit(share) for each lane of something of `whole` units.
  template <class Visit>
  void for_each_lane(Count whole, Visit visit) const {
    for (int lane = 0; lane < choice.lanes; ++lane)
      visit(before(whole, lane + 1, choice.lanes) - before(whole, lane, choice.lanes));
  }

  /// One message, in as many pieces as it is cut into; of nothing, none.
  void send(SiteIndex from, SiteIndex to, Count units) {
    count(from, to, pieces_of(choice.segmentation, units), units);
  }
  /// Vectors of equal length side by side, which the lanes share.
  void send_by_lanes(SiteIndex from, SiteIndex to, Count length, std::int64_t vectors = 1) {
    for_each_lane(length, [&](Count share) { send(from, to, vectors * share); });
  }
  void signal(SiteIndex from, SiteIndex to) { count(from, to, 1, 0); }

  TrafficMatrix traffic() && { return std::move(traffic_); }

 private:
  bool hears(SiteIndex to, SiteIndex from) const {
    const auto is_of_first = [&](SiteIndex site) { return planned_.ranks_of(site).front() < call.split; };
    return !choice.halves || is_of_first(to) != is_of_first(from);
  }
  void count(SiteIndex from, SiteIndex to, std::int64_t messages, Count units) {
    if (from == to || messages == 0) return;
    Traffic& sum = traffic_[{from, to}];
    sum.messages += messages;
    sum.units += units;
  }

  const Layout& planned_;
  TrafficMatrix traffic_;
};

// ---- what the rows of algo/algorithms.def name

namespace stated {

/// An empty message each.
void signals(Statement& s) {
  s.for_each_pair([&](SiteIndex from, SiteIndex to) { s.signal(from, to); });
}

/// For each pair of sites as many vectors of call.block units as the demand says.
void vectors(Statement& s) {
  GlobalCall unit = s.call;
  unit.block = 1;
  const Demand demand = unit.collective == Collective::allreduce
                            ? Demand::allreduce(s.sites(), s.combining(), 1)
                            : demand_of(s.sites(), unit);
  s.for_each_pair([&](SiteIndex from, SiteIndex to) {
    s.send_by_lanes(from, to, s.call.block, demand.traffic.at(from, to).bytes);
  });
}

Count block_of(const Statement& s, Rank source) {
  return s.call.block_between(source, s.call.partners(source).first);
}
Count block_for(const Statement& s, Rank destination) {
  return s.call.block_between(s.call.partners(destination).first, destination);
}

/// Of the ranks of a site.
Count sum_of(const Statement& s, SiteIndex site, Count (*block)(const Statement&, Rank)) {
  const auto ranks = s.sites().ranks_of(site);
  return std::accumulate(ranks.begin(), ranks.end(), Count{0},
                         [&](Count sum, Rank rank) { return sum + block(s, rank); });
}

/// A site's blocks to each other; rank by rank where a group does not know the counts of the other.
void blocks_of_sites(Statement& s) {
  const bool goes_by_rank = s.call.split > 0 && s.call.collective == Collective::allgatherv;
  s.for_each_pair([&](SiteIndex from, SiteIndex to) {
    if (!goes_by_rank) return s.send_by_lanes(from, to, sum_of(s, from, block_of));
    for (const Rank rank : s.sites().ranks_of(from)) s.send(from, to, block_of(s, rank));
  });
}

/// Of the root's site, as many ranks as give each other site as many connections as there are lanes have a
/// share of each block.
int carriers_of(const Statement& s) {
  if (s.choice.lanes == 1) return 1;
  int carriers = 1;
  for (SiteIndex site = 0; site < s.sites().sites(); ++site) {
    const int ranks = static_cast<int>(s.sites().ranks_of(site).size());
    if (site != s.root_site()) carriers = std::max(carriers, (s.choice.lanes + ranks - 1) / ranks);
  }
  return std::min(carriers, static_cast<int>(s.sites().ranks_of(s.root_site()).size()));
}

/// Blocks from rank to rank: long ones each by itself, the others of two sites together.
void blocks_of_ranks(Statement& s) {
  std::map<std::pair<SiteIndex, SiteIndex>, Count> together;
  const bool from_root =
      s.call.collective == Collective::scatter || s.call.collective == Collective::scatterv;
  const bool to_root = s.call.collective == Collective::gather || s.call.collective == Collective::gatherv;
  const int carriers = from_root || to_root ? carriers_of(s) : 1;
  for (Rank from = 0; from < s.call.size; ++from)
    for (Rank to = 0; to < s.call.size; ++to) {
      if ((from_root && from != s.call.root) || (to_root && to != s.call.root)) continue;
      const std::pair sites(s.sites().site_of(from), s.sites().site_of(to));
      const Count block = s.call.block_between(from, to);
      if (block <= s.block_limit) {
        together[sites] += block;
        continue;
      }
      for (int carrier = 0; carrier < carriers; ++carrier)
        s.send(sites.first, sites.second,
               before(block, carrier + 1, carriers) - before(block, carrier, carriers));
    }
  for (const auto& [sites, units] : together) s.send(sites.first, sites.second, units);
}

/// Where the blocks of a site's ranks, one behind the other, do not follow each other in the vector.
std::set<Count> seams_of(const Statement& s, SiteIndex site) {
  std::set<Count> seams;
  Count offset = 0, length = 0,
        end = 0;  // of a rank's block in the vector; of the blocks so far, and their end
  for (Rank rank = 0; rank < s.call.size; ++rank) {
    const Count block = block_for(s, rank);
    if (s.sites().site_of(rank) == site && block > 0) {
      if (offset != end) seams.insert(length);
      length += block;
      end = offset + block;
    }
    offset += block;
  }
  return seams;
}

/// Adds where `length` units from `begin` are cut.
void add_cuts(std::set<Count>& cuts, const Segmentation& cut, Count begin, Count length) {
  const Count eager = std::min(length, cut.window);
  cuts.insert(begin);
  for (Count offset = 0; offset < eager; offset += std::min(cut.segment, eager)) cuts.insert(begin + offset);
  for (Count offset = eager; offset < length; offset += std::min(cut.long_segment, length))
    cuts.insert(begin + offset);
}

/// Cut before they are reduced, lane by lane.
void reduced_segments(Statement& s, SiteIndex from, SiteIndex to) {
  std::set<Count> cuts = seams_of(s, to);
  Count begin = 0;
  s.for_each_lane(sum_of(s, to, block_for), [&](Count share) {
    add_cuts(cuts, s.choice.segmentation, begin, share);
    begin += share;
  });
  cuts.insert(begin);
  for (auto cut = cuts.begin(); *cut < begin; ++cut)
    s.send(from, to, s.values_of(from) * (*std::next(cut) - *cut));
}

/// To each site the partials of its blocks; whole vectors where a group does not know the other's counts.
void reduced_blocks(Statement& s) {
  Count total = 0;
  for (Rank rank = 0; rank < s.call.size; ++rank)
    if (s.call.split == 0 || rank < s.call.split) total += block_for(s, rank);
  const bool is_long = s.call.split == 0 && (total > s.choice.segmentation.segment || s.choice.lanes > 1);
  const bool is_whole = s.call.split > 0 && s.call.collective == Collective::reduce_scatter;
  s.for_each_pair([&](SiteIndex from, SiteIndex to) {
    if (is_long)
      reduced_segments(s, from, to);
    else
      s.send(from, to, s.values_of(from) * (is_whole ? total : sum_of(s, to, block_for)));
  });
}

/// visit(owner, site, length) for each shard and each site but its owner.
template <class Visit>
void for_each_shard(const Statement& s, Visit visit) {
  for (const Shard& shard : shards_of(s.choice))
    for (SiteIndex site = 0; site < s.sites().sites(); ++site)
      if (site != *shard.owner) visit(*shard.owner, site, shard.length);
}

/// The root gives each owner its shard, the owners pass it on.
void shards_from_root(Statement& s) {
  for_each_shard(s, [&](SiteIndex owner, SiteIndex site, Count length) {
    site == s.root_site() ? s.send_by_lanes(site, owner, length) : s.send_by_lanes(owner, site, length);
  });
}

/// The mirror image, one value a site.
void shards_to_root(Statement& s) {
  for_each_shard(s, [&](SiteIndex owner, SiteIndex site, Count length) {
    site == s.root_site() ? s.send_by_lanes(owner, site, length) : s.send_by_lanes(site, owner, length);
  });
}

/// All partials to the owners, the result back.
void shards_for_all(Statement& s) {
  for_each_shard(s, [&](SiteIndex owner, SiteIndex site, Count length) {
    s.send_by_lanes(site, owner, length, s.values_of(site));
    s.send_by_lanes(owner, site, length);
  });
}

/// The last site's totals nobody needs, and before the first site there is nothing.
void shards_of_prefixes(Statement& s) {
  const SiteIndex first = s.sites().site_of(0), last = s.sites().site_of(s.call.size - 1);
  for_each_shard(s, [&](SiteIndex owner, SiteIndex site, Count length) {
    if (site != last) s.send_by_lanes(site, owner, length);
    if (site != first) s.send_by_lanes(owner, site, length);
  });
}

/// visit(parent, child, units) for all links of the trees by which `units` leave `source`.
template <class Visit>
void for_each_leg(const Statement& s, SiteIndex source, Count units, Visit visit) {
  int stripes = 0;
  for (const RouteTree& tree : routes_of(s.choice).trees[at(source)]) {
    const Count length = before(units, stripes + tree.stripes, kStripes) - before(units, stripes, kStripes);
    stripes += tree.stripes;
    for (SiteIndex child = 0; child < s.sites().sites(); ++child)
      if (const SiteIndex parent = tree.parents[at(child)]; parent != kNoSite) visit(parent, child, length);
  }
}

/// What each site has, to all that need it.
void along_routes(Statement& s) {
  const bool has_vectors = traits(s.call.collective).reduces;
  for (SiteIndex source = 0; source < s.sites().sites(); ++source)
    s.for_each_lane(has_vectors ? s.call.block : sum_of(s, source, block_of), [&](Count share) {
      for_each_leg(s, source, share,
                   [&](SiteIndex parent, SiteIndex child, Count units) { s.send(parent, child, units); });
    });
}

/// The root's vector. The lanes share the stripes of each tree, and what a lane has of all the trees divide
/// anew.
void vector_along_routes(Statement& s) {
  std::vector<Count> lanes(static_cast<std::size_t>(s.choice.lanes), 0);
  int stripes = 0;
  for (const RouteTree& tree : routes_of(s.choice).trees[at(s.root_site())]) {
    const Count first = before(s.call.block, stripes, kStripes);
    stripes += tree.stripes;
    std::size_t lane = 0;
    s.for_each_lane(before(s.call.block, stripes, kStripes) - first,
                    [&](Count share) { lanes[lane++] += share; });
  }
  for (const Count length : lanes)
    for_each_leg(s, s.root_site(), length,
                 [&](SiteIndex parent, SiteIndex child, Count units) { s.send(parent, child, units); });
}

/// Sums for each site, from all.
void against_routes(Statement& s) {
  for (SiteIndex source = 0; source < s.sites().sites(); ++source)
    s.for_each_lane(sum_of(s, source, block_for), [&](Count share) {
      for_each_leg(s, source, share,
                   [&](SiteIndex parent, SiteIndex child, Count units) { s.send(child, parent, units); });
    });
}

/// The sites between two, both included, and the stripes of a block that go so.
struct WayOfStripes {
  std::vector<SiteIndex> sites;
  int first = 0, end = 0;
};
std::vector<WayOfStripes> ways_of(const Statement& s, SiteIndex from, SiteIndex to) {
  std::vector<WayOfStripes> ways;
  int stripes = 0;
  for (const RouteTree& tree : routes_of(s.choice).trees[at(from)]) {
    std::vector<SiteIndex> sites{to};
    while (sites.back() != from) sites.push_back(tree.parents[at(sites.back())]);
    std::ranges::reverse(sites);
    if (ways.empty() || ways.back().sites != sites) ways.push_back({sites, stripes, stripes});
    ways.back().end = stripes += tree.stripes;
  }
  return ways;
}

/// Each block is cut by itself.
void blocks_along_routes(Statement& s) {
  const bool from_root = s.call.collective == Collective::scatter,
             to_root = s.call.collective == Collective::gather;
  const auto ranks = [&](SiteIndex site, bool is_root) {
    return is_root ? 1 : std::ssize(s.sites().ranks_of(site));
  };
  s.for_each_pair([&](SiteIndex from, SiteIndex to) {
    if ((from_root && from != s.root_site()) || (to_root && to != s.root_site())) return;
    for (const WayOfStripes& way : ways_of(s, from, to))
      for (std::size_t hop = 1; hop < way.sites.size(); ++hop)
        for (auto block = ranks(from, from_root) * ranks(to, to_root); block > 0; --block)
          s.send(way.sites[hop - 1], way.sites[hop],
                 before(s.call.block, way.end, kStripes) - before(s.call.block, way.first, kStripes));
  });
}

void down_the_tree(Statement& s) {
  for (const SiteIndex site : tree_of(s.choice).top_down())
    for (const SiteIndex child : tree_of(s.choice).children_of(site)) s.send(site, child, s.call.block);
}

void add_ranks_below(const Statement& s, SiteIndex site, std::vector<Rank>& ranks) {
  for (const Rank rank : s.sites().ranks_of(site)) ranks.push_back(rank);
  for (const SiteIndex child : tree_of(s.choice).children_of(site)) add_ranks_below(s, child, ranks);
}

/// The values that all ranks below are represented by.
void up_the_tree(Statement& s) {
  for (const SiteIndex site : tree_of(s.choice).top_down()) {
    const auto parent = tree_of(s.choice).parent_of(site);
    if (!parent) continue;
    std::vector<Rank> ranks;
    add_ranks_below(s, site, ranks);
    std::ranges::sort(ranks);
    s.send(site, *parent, s.call.block * std::ssize(runs_of(ranks, s.combining())));
  }
}

}  // namespace stated

struct Row {
  Collective collective;
  Algorithm algorithm;
  void (*state)(Statement&);
};
constexpr Row kRows[] = {
#define WAN_ALGORITHM(collective, algorithm, planner, proposer, lanes, traffic) \
  {Collective::collective, Algorithm::algorithm, stated::traffic},
#include "algo/algorithms.def"
};

const Row& row_of(Collective collective, Algorithm algorithm) {
  const auto found = std::ranges::find_if(
      kRows, [&](const Row& row) { return row.collective == collective && row.algorithm == algorithm; });
  invariant(found != std::end(kRows), "an algorithm that the collective has not");
  return *found;
}

constexpr int own_links() {
  return 0;
}
constexpr int times_bound(int times) {
  return times;
}
/// By Algorithm.
constexpr int kTimes[] = {
    0,  // automatic
#define WAN_WAY(algorithm, latencies, time, fallback, help) time,
#include "algo/algorithms.def"
};

int depth_of(const RouteTree& tree, SiteIndex site) {
  int depth = 0;
  for (; tree.parents[at(site)] != kNoSite; site = tree.parents[at(site)]) ++depth;
  return depth;
}

int longest_route(const Routes& routes, SiteIndex sites) {
  int longest = 0;
  for (const auto& trees : routes.trees)
    for (const RouteTree& tree : trees)
      for (SiteIndex site = 0; site < sites; ++site) longest = std::max(longest, depth_of(tree, site));
  return longest;
}

int height_of(const BroadcastTree& tree, NodeIndex node) {
  int height = 0;
  for (const NodeIndex child : tree.children_of(node)) height = std::max(height, 1 + height_of(tree, child));
  return height;
}

}  // namespace

const Layout& planned_layout(const Topology& topology, const Choice& choice) {
  return choice.halves ? choice.halves->layout : topology.layout;
}

TrafficMatrix stated_traffic(const GlobalCall& call, const Topology& topology, const Tuning& tuning,
                             const Choice& choice) {
  Statement statement(call, topology, tuning, choice);
  row_of(call.collective, choice.algorithm()).state(statement);
  return std::move(statement).traffic();
}

int stated_latencies(const Choice& choice, const Layout& planned) {
  switch (latencies_of(choice.algorithm())) {
    case MostLatencies::one:
      return 1;
    case MostLatencies::two:
      return 2;
    case MostLatencies::hops:
      return std::min(longest_route(routes_of(choice), planned.sites()), kRouteHops);
    case MostLatencies::sites:
      return height_of(tree_of(choice), tree_of(choice).root());
  }
  broken("latencies of an algorithm");
}

int times_the_bound(Algorithm algorithm) {
  return kTimes[static_cast<std::size_t>(algorithm)];
}

}  // namespace wan
