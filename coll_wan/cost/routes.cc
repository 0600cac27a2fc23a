// SPDX-License-Identifier: BSD-3-Clause
#include "cost/routes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/index.h"
#include "cost/passage.h"
#include "cost/regions.h"

namespace wan {

namespace {

using Weight = unsigned __int128;

/// Elementary operations of a search: some hundred microseconds between a few sites. Between many it is what
/// a dozen moves take, for looking at all links is the most of it.
std::int64_t most_work(SiteIndex sites) {
  return std::max<std::int64_t>(20'000, std::int64_t{40} * sites * sites);
}
/// What a look at a path counts for.
constexpr std::int64_t kWorkOfPresence = 4;
/// Links that are looked at before the search gives up.
constexpr std::size_t kMostLinks = 3;

/// One tree, and whose.
struct Flow {
  SiteIndex source;
  RouteTree tree;
};

/// Of all that a directed link carries.
struct Load {
  Bytes bytes = 0;
  Bytes onward = 0;                                       ///< that its receiver passes on
  Bytes relayed = 0;                                      ///< that its sender has from another site
  Nanoseconds relayed_first_ns = 0, relayed_last_ns = 0;  ///< when the sender has them
  bool is_used = false;
};

/// The links' loads under some trees, and when each link is done.
class Loads {
 public:
  Loads(const View& network, const RouteDemand& demand, Bytes piece)
      : network_(network), demand_(demand), piece_(piece), sites_(network.sites()), loads_(network.sites()) {}

  void compute(const std::vector<Flow>& flows) {
    loads_.fill({});
    leaving_.assign(at(sites_), 0);
    entering_.assign(at(sites_), 0);
    for (const Flow& flow : flows) add(flow);
    for (const Flow& flow : flows) add_presence(flow);
    weigh();
  }

  Nanoseconds time_ns() const { return time_ns_; }
  /// The less the better: links that are done late count much more than others.
  Weight weight() const { return weight_; }
  /// The unit of the weights: a time.
  void set_scale(Nanoseconds scale) {
    scale_ = std::max<Nanoseconds>(1, scale);
    weigh();
  }
  std::int64_t work() const { return work_; }
  /// Of the links that are used, those that are done last, the last first.
  std::vector<std::pair<SiteIndex, SiteIndex>> last_links(std::size_t most) const {
    std::vector<std::pair<Nanoseconds, std::pair<SiteIndex, SiteIndex>>> links;
    for (SiteIndex from = 0; from < sites_; ++from)
      for (SiteIndex to = 0; to < sites_; ++to)
        if (loads_.at(from, to).is_used) links.push_back({-done_ns(from, to), {from, to}});
    const auto end = links.begin() + static_cast<std::ptrdiff_t>(std::min(most, links.size()));
    std::partial_sort(links.begin(), end, links.end());
    std::vector<std::pair<SiteIndex, SiteIndex>> last;
    for (auto each = links.begin(); each != end; ++each) last.push_back(each->second);
    return last;
  }

  Nanoseconds done_ns(SiteIndex from, SiteIndex to) const {
    const Load& load = loads_.at(from, to);
    const Link& link = network_.link(from, to);
    Nanoseconds done = time_of(load.bytes, link.bandwidth_bytes_per_s);
    if (const auto up = network_.uplink(from)) done = std::max(done, time_of(leaving_[at(from)], *up));
    if (const auto down = network_.downlink(to)) done = std::max(done, time_of(entering_[at(to)], *down));
    if (load.relayed > 0) {
      done = std::max(
          done, load.relayed_last_ns + time_of(std::min(piece_, load.relayed), link.bandwidth_bytes_per_s));
      done = std::max(done, load.relayed_first_ns + time_of(load.relayed, link.bandwidth_bytes_per_s));
    }
    return link.latency_ns + done;
  }

  /// When `site` has what the flow brings it.
  Presence presence(const Flow& flow, SiteIndex site) const {
    std::array<SiteIndex, kRouteHops + 1> path{};
    int hops = 0;
    for (SiteIndex each = site; each != flow.source; each = flow.tree.parents[at(each)])
      path[static_cast<std::size_t>(hops++)] = each;
    Presence now;
    for (SiteIndex from = flow.source; hops > 0; from = path[static_cast<std::size_t>(hops)]) {
      const SiteIndex to = path[static_cast<std::size_t>(--hops)];
      pass(now, from, to, hops > 0 || has_below(flow.tree.parents, site));
    }
    return now;
  }

 private:
  /// What goes on from `to` goes first.
  void pass(Presence& now, SiteIndex from, SiteIndex to, bool goes_on) const {
    const Load& load = loads_.at(from, to);
    const Link& link = network_.link(from, to);
    const Nanoseconds onward_ns = time_of(load.onward, link.bandwidth_bytes_per_s);
    const Nanoseconds all_ns = goes_on ? onward_ns : time_of(load.bytes, link.bandwidth_bytes_per_s);
    const Nanoseconds piece_ns = std::min(all_ns, time_of(piece_, link.bandwidth_bytes_per_s));
    now.first_ns += link.latency_ns + std::min(all_ns, goes_on ? piece_ns : onward_ns + piece_ns);
    now.last_ns = std::max(link.latency_ns + std::max(all_ns, now.last_ns + piece_ns), now.first_ns);
  }
  static bool has_below(const std::vector<SiteIndex>& parents, SiteIndex site) {
    return std::ranges::find(parents, site) != parents.end();
  }

  Bytes bytes_of(const Flow& flow, SiteIndex to) const {
    return demand_.bytes.at(flow.source, to).value_or(0) * flow.tree.stripes / kStripes;
  }

  void add(const Flow& flow) {
    const auto& parents = flow.tree.parents;
    for (SiteIndex to = 0; to < sites_; ++to) {
      if (parents[at(to)] == kNoSite || !demand_.bytes.at(flow.source, to)) continue;
      const Bytes bytes = bytes_of(flow, to);
      if (demand_.is_multicast)
        add_edge(flow, to, bytes);
      else
        add_path(flow, to, bytes);
      ++work_;
    }
  }
  void add_edge(const Flow& flow, SiteIndex to, Bytes bytes) {
    const auto& parents = flow.tree.parents;
    const SiteIndex above = parents[at(to)];
    carry(above, to, bytes);
    if (above != flow.source && is_first_below(parents, above, to))
      loads_.at(parents[at(above)], above).onward += bytes;
  }
  void add_path(const Flow& flow, SiteIndex to, Bytes bytes) {
    const auto& parents = flow.tree.parents;
    for (SiteIndex each = to; each != flow.source; each = parents[at(each)]) {
      carry(parents[at(each)], each, bytes);
      if (each != to) loads_.at(parents[at(each)], each).onward += bytes;
    }
  }
  bool is_first_below(const std::vector<SiteIndex>& parents, SiteIndex above, SiteIndex site) const {
    return std::ranges::find(parents, above) == parents.begin() + site;
  }
  void carry(SiteIndex from, SiteIndex to, Bytes bytes) {
    Load& load = loads_.at(from, to);
    load.bytes += bytes;
    load.is_used = true;
    leaving_[at(from)] += bytes;
    entering_[at(to)] += bytes;
  }

  void add_presence(const Flow& flow) {
    const auto& parents = flow.tree.parents;
    for (SiteIndex to = 0; to < sites_; ++to) {
      if (parents[at(to)] == kNoSite || parents[at(to)] == flow.source || !demand_.bytes.at(flow.source, to))
        continue;
      for (SiteIndex each = to; parents[at(each)] != flow.source; each = parents[at(each)]) {
        add_relayed(loads_.at(parents[at(each)], each), presence(flow, parents[at(each)]),
                    bytes_of(flow, to));
        if (demand_.is_multicast) break;
      }
    }
  }
  void add_relayed(Load& load, Presence there, Bytes bytes) {
    load.relayed_first_ns =
        load.relayed == 0 ? there.first_ns : std::min(load.relayed_first_ns, there.first_ns);
    load.relayed_last_ns = std::max(load.relayed_last_ns, there.last_ns);
    load.relayed += std::max<Bytes>(1, bytes);
    work_ += kWorkOfPresence;
  }

  void weigh() {
    time_ns_ = 0;
    weight_ = 0;
    work_ += std::int64_t{sites_} * sites_;
    for (SiteIndex from = 0; from < sites_; ++from)
      for (SiteIndex to = 0; to < sites_; ++to)
        if (loads_.at(from, to).is_used) count(from, to);
  }

  void count(SiteIndex from, SiteIndex to) {
    const Nanoseconds done = done_ns(from, to);
    time_ns_ = std::max(time_ns_, done);
    constexpr Nanoseconds kShares = 1'024, kMostShares = 8'191,
                          kLongest = 8'000'000'000'000'000;  // three months
    const Weight share =
        static_cast<Weight>(std::min(std::min(done, kLongest) * kShares / scale_, kMostShares));
    const Weight square = share * share, fourth = square * square;
    weight_ += fourth * fourth;
  }

  View network_;
  const RouteDemand& demand_;
  Bytes piece_;
  SiteIndex sites_;
  SiteMatrix<Load> loads_;
  std::vector<Bytes> leaving_, entering_;  ///< bytes, by site
  Nanoseconds time_ns_ = 0, scale_ = 1;
  Weight weight_ = 0;
  std::int64_t work_ = 0;
};

std::vector<Flow> stars(const View& network, const RouteDemand& demand) {
  std::vector<Flow> flows;
  for (SiteIndex source = 0; source < network.sites(); ++source) {
    std::vector<SiteIndex> parents(at(network.sites()), kNoSite);
    bool is_needed = false;
    for (SiteIndex to = 0; to < network.sites(); ++to) {
      const bool needs = demand.bytes.at(source, to).has_value();
      if (to != source && (needs || !demand.is_multicast)) parents[at(to)] = source;
      is_needed = is_needed || needs;
    }
    if (is_needed) flows.push_back({source, {kStripes, std::move(parents)}});
  }
  return flows;
}

Routes routes_of(const Loads& loads, const std::vector<Flow>& flows, SiteIndex sites) {
  Routes routes;
  routes.time_ns = loads.time_ns();
  routes.trees.resize(at(sites));
  routes.presence.resize(at(sites));
  for (const Flow& flow : flows) {
    std::vector<Presence> presence(at(sites));
    for (SiteIndex site = 0; site < sites; ++site)
      if (flow.tree.parents[at(site)] != kNoSite) presence[at(site)] = loads.presence(flow, site);
    routes.trees[at(flow.source)].push_back(flow.tree);
    routes.presence[at(flow.source)].push_back(std::move(presence));
  }
  return routes;
}

class Search {
 public:
  Search(const View& network, const RouteDemand& demand, Bytes piece)
      : network_(network),
        demand_(demand),
        most_work_(most_work(network.sites())),
        loads_(network, demand, piece),
        flows_(stars(network, demand)) {}

  std::optional<Routes> run() {
    loads_.compute(flows_);
    const Nanoseconds direct = best_ns_ = loads_.time_ns();
    loads_.set_scale(direct);
    best_ = flows_;
    improve_all(most_work_);
    if (auto flows = quickest_between_regions()) {
      flows_ = std::move(*flows);
      loads_.compute(flows_);
      note_best();
      improve_all(loads_.work() + most_work_);
    }
    if (best_ns_ >= direct - direct / (network_.is_estimated() ? 3 : 20)) return std::nullopt;
    loads_.compute(best_);
    return routes_of(loads_, best_, network_.sites());
  }

 private:
  void improve_all(std::int64_t most_work) {
    while (loads_.work() < most_work && improve(most_work)) {
    }
  }
  /// Makes one move; is there one that helps?
  bool improve(std::int64_t most_work) {
    return std::ranges::any_of(loads_.last_links(kMostLinks),
                               [&](const auto& link) { return improve(link.first, link.second, most_work); });
  }
  /// The best move of what a link carries.
  bool improve(SiteIndex from, SiteIndex to, std::int64_t most_work) {
    Weight least = loads_.weight();
    std::optional<std::vector<Flow>> better;
    for (const Move& move : moves_of(from, to)) {
      if (loads_.work() >= most_work) break;
      std::vector<Flow> moved = hung(flows_, move.flow, to, move.by, move.stripes);
      loads_.compute(moved);
      if (loads_.weight() < least) least = loads_.weight(), better = std::move(moved);
    }
    if (better) flows_ = std::move(*better);
    loads_.compute(flows_);
    note_best();
    return better.has_value();
  }
  void note_best() {
    if (loads_.time_ns() < best_ns_) best_ns_ = loads_.time_ns(), best_ = flows_;
  }

  /// Trees that use all links between regions (cost/regions.h): the quickest, if they take less than the best
  /// by a twentieth.
  std::optional<std::vector<Flow>> quickest_between_regions() {
    if (demand_.least_stripes > kStripes / 2) return std::nullopt;
    std::optional<std::vector<Flow>> quickest;
    Nanoseconds below_ns = best_ns_ - best_ns_ / 20;
    for (const Regions& regions : regions_of(network_, most_bytes()))
      for (const Exit exit : {Exit::source, Exit::region})
        for (const Entry entry : {Entry::each, Entry::one}) {
          std::vector<Flow> flows = between_regions(regions, exit, entry);
          if (std::ssize(flows) * network_.sites() > most_work_) continue;
          loads_.compute(flows);
          if (loads_.time_ns() < below_ns) below_ns = loads_.time_ns(), quickest = std::move(flows);
        }
    return quickest;
  }
  std::vector<Flow> between_regions(const Regions& regions, Exit exit, Entry entry) const {
    std::vector<Flow> flows;
    for (Flow& star : stars(network_, demand_)) {
      auto trees = regional_trees(regions, star.source, star.tree.parents, wanted_of(star.source), exit,
                                  entry, kStripes / demand_.least_stripes);
      if (trees.empty()) trees.push_back(std::move(star.tree));
      for (RouteTree& tree : trees) flows.push_back({star.source, std::move(tree)});
    }
    return flows;
  }
  /// Who needs what `source` sends.
  std::vector<bool> wanted_of(SiteIndex source) const {
    std::vector<bool> wanted;
    for (SiteIndex to = 0; to < network_.sites(); ++to)
      wanted.push_back(demand_.bytes.at(source, to).has_value());
    return wanted;
  }
  Bytes most_bytes() const {
    Bytes most = 0;
    for (SiteIndex from = 0; from < network_.sites(); ++from)
      for (SiteIndex to = 0; to < network_.sites(); ++to)
        most = std::max(most, demand_.bytes.at(from, to).value_or(0));
    return most;
  }
  /// Hanging `stripes` of a flow below site `by`.
  struct Move {
    std::size_t flow;
    SiteIndex by;
    int stripes;
  };
  std::vector<Move> moves_of(SiteIndex from, SiteIndex to) const {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      if (flows_[i].tree.parents[at(to)] != from) continue;
      for (SiteIndex by = 0; by < network_.sites(); ++by)
        if (may_hang(flows_[i], to, by))
          for (int stripes = flows_[i].tree.stripes; stripes >= demand_.least_stripes; stripes /= 2)
            moves.push_back({i, by, stripes});
    }
    return moves;
  }

  /// May `site` hang below `by`?
  bool may_hang(const Flow& flow, SiteIndex site, SiteIndex by) const {
    const auto& parents = flow.tree.parents;
    if (by == site || by == parents[at(site)] || (by != flow.source && parents[at(by)] == kNoSite))
      return false;
    int above = 0;
    Nanoseconds latency = network_.link(by, site).latency_ns;
    for (SiteIndex each = by; each != flow.source; each = parents[at(each)], ++above) {
      if (each == site) return false;
      latency += network_.link(parents[at(each)], each).latency_ns;
    }
    return above + 1 + height(parents, site) <= kRouteHops && latency < loads_.time_ns() &&
           loads_.done_ns(by, site) < loads_.time_ns();
  }
  int height(const std::vector<SiteIndex>& parents, SiteIndex site) const {
    int most = 0;
    for (SiteIndex each = 0; each < network_.sites(); ++each)
      if (parents[at(each)] == site) most = std::max(most, 1 + height(parents, each));
    return most;
  }

  /// `stripes` of flow i with `site` below `by`; of equal trees of a source one remains.
  static std::vector<Flow> hung(const std::vector<Flow>& flows, std::size_t i, SiteIndex site, SiteIndex by,
                                int stripes) {
    std::vector<Flow> moved = flows;
    Flow other = moved[i];
    other.tree.parents[at(site)] = by;
    other.tree.stripes = stripes;
    moved[i].tree.stripes -= stripes;
    const auto same = std::ranges::find_if(moved, [&](const Flow& flow) {
      return flow.source == other.source && flow.tree.parents == other.tree.parents;
    });
    if (same != moved.end())
      same->tree.stripes += stripes;
    else
      moved.push_back(std::move(other));
    std::erase_if(moved, [](const Flow& flow) { return flow.tree.stripes == 0; });
    return moved;
  }

  View network_;
  const RouteDemand& demand_;
  std::int64_t most_work_;
  Loads loads_;
  std::vector<Flow> flows_, best_;
  Nanoseconds best_ns_ = 0;
};

}  // namespace

Routes direct_routes(const Network& network, const RouteDemand& demand) {
  const View links(network);
  const std::vector<Flow> flows = stars(links, demand);
  Loads loads(links, demand, 0);
  loads.compute(flows);
  return routes_of(loads, flows, network.sites());
}

Count most_on_a_link(const Routes& routes) {
  SiteMatrix<int> stripes(static_cast<SiteIndex>(routes.trees.size()));
  int most = 0;
  for (const auto& trees : routes.trees)
    for (const RouteTree& tree : trees)
      for (SiteIndex site = 0; site < stripes.sites(); ++site) {
        const SiteIndex parent = tree.parents[static_cast<std::size_t>(site)];
        if (parent != kNoSite) most = std::max(most, stripes.at(parent, site) += tree.stripes);
      }
  return (most + kStripes - 1) / kStripes;
}

std::optional<Routes> relayed_routes(const Network& network, const RouteDemand& demand, Bytes piece,
                                     Direction direction) {
  if (network.sites() < 3 || network.sites() > kMostSites) return std::nullopt;
  return Search(View(network, direction), demand, piece).run();
}

}  // namespace wan
