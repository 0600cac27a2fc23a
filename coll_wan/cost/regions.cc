// SPDX-License-Identifier: BSD-3-Clause
#include "cost/regions.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "cost/passage.h"

namespace wan {

namespace {

/// Two sites, and how long what goes between them takes in the slower direction.
struct Pair {
  Nanoseconds time_ns;
  SiteIndex a, b;
};

std::vector<Pair> pairs_of(const View& network, Bytes bytes) {
  const auto time_ns = [&](const Link& link) {
    return link.latency_ns + time_of(bytes, link.bandwidth_bytes_per_s);
  };
  std::vector<Pair> pairs;
  for (SiteIndex a = 0; a < network.sites(); ++a)
    for (SiteIndex b = a + 1; b < network.sites(); ++b)
      pairs.push_back({std::max(time_ns(network.link(a, b)), time_ns(network.link(b, a))), a, b});
  std::ranges::stable_sort(pairs, {}, &Pair::time_ns);
  return pairs;
}

/// Sites that have been joined have the same label.
Regions by_label(const std::vector<SiteIndex>& labels) {
  Regions regions(labels.size());
  for (std::size_t site = 0; site < labels.size(); ++site)
    regions[at(labels[site])].push_back(static_cast<SiteIndex>(site));
  std::erase_if(regions, [](const auto& sites) { return sites.empty(); });
  return regions;
}

/// The trees of one source while they are made.
class Trees {
 public:
  Trees(SiteIndex source, const std::vector<SiteIndex>& star, const std::vector<bool>& wanted)
      : source_(source), wanted_(wanted), star_(star) {}

  /// Sorts the regions into the source's own and those that something is sent to.
  void note(const std::vector<SiteIndex>& region) {
    std::vector<SiteIndex> reached;
    for (const SiteIndex site : region)
      if (site == source_ || star_[at(site)] != kNoSite) reached.push_back(site);
    if (std::ranges::find(region, source_) != region.end())
      home_ = std::move(reached);
    else if (std::ranges::any_of(region, [&](SiteIndex site) { return wanted_[at(site)]; }))
      far_.push_back(std::move(reached));
  }

  std::vector<RouteTree> all(Exit exit, Entry entry, std::size_t most) const {
    const std::size_t exits = exit == Exit::source ? 1 : home_.size();
    const std::size_t entries = entry == Entry::each ? 1 : entries_within(most / exits);
    if (far_.empty() || exits * entries > most) return {};
    std::vector<RouteTree> trees;
    const int count = static_cast<int>(exits * entries);
    for (int i = 0; i < count; ++i) {
      const SiteIndex out = exit == Exit::source ? source_ : home_[static_cast<std::size_t>(i) % exits];
      const int stripes = kStripes / count + (i < kStripes % count ? 1 : 0);
      add(trees, {stripes, parents(out, entry, static_cast<std::size_t>(i) / exits)});
    }
    return trees;
  }

 private:
  /// So many that each of a region's sites is as often the first as the others; if that is more than `most`,
  /// so many that each is.
  std::size_t entries_within(std::size_t most) const {
    std::size_t common = 1, largest = 1;
    for (const auto& region : far_) {
      common = std::lcm(common, region.size());
      largest = std::max(largest, region.size());
    }
    return common <= most ? common : largest;
  }
  /// Sources begin with different sites.
  std::vector<SiteIndex> parents(SiteIndex out, Entry entry, std::size_t turn) const {
    std::vector<SiteIndex> parents = star_;
    for (const auto& region : far_) {
      const SiteIndex first = region[(turn + at(source_)) % region.size()];
      for (const SiteIndex site : region)
        parents[at(site)] = entry == Entry::each || site == first ? out : first;
    }
    return parents;
  }
  static void add(std::vector<RouteTree>& trees, RouteTree tree) {
    const auto same = std::ranges::find(trees, tree.parents, &RouteTree::parents);
    if (same == trees.end())
      trees.push_back(std::move(tree));
    else
      same->stripes += tree.stripes;
  }

  SiteIndex source_;
  const std::vector<bool>& wanted_;
  const std::vector<SiteIndex>& star_;
  std::vector<SiteIndex> home_;
  Regions far_;
};

}  // namespace

std::vector<Regions> regions_of(const View& network, Bytes bytes) {
  constexpr Nanoseconds kGap = 2;
  std::vector<Regions> partitions;
  std::vector<SiteIndex> labels(at(network.sites()));
  std::iota(labels.begin(), labels.end(), 0);
  Nanoseconds inside_ns = 0;
  for (const auto& [time_ns, a, b] : pairs_of(network, bytes)) {
    const SiteIndex kept = labels[at(a)], gone = labels[at(b)];
    if (kept == gone) continue;
    if (inside_ns > 0 && time_ns / kGap >= inside_ns) partitions.push_back(by_label(labels));
    inside_ns = time_ns;
    std::ranges::replace(labels, gone, kept);
  }
  return partitions;
}

std::vector<RouteTree> regional_trees(const Regions& regions, SiteIndex source,
                                      const std::vector<SiteIndex>& star, const std::vector<bool>& wanted,
                                      Exit exit, Entry entry, int most) {
  Trees trees(source, star, wanted);
  for (const auto& region : regions) trees.note(region);
  return trees.all(exit, entry, static_cast<std::size_t>(most));
}

}  // namespace wan
