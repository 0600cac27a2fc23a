// SPDX-License-Identifier: BSD-3-Clause
// Numbers sites and the groups below them by their lowest rank. A group's identity is its parent group and
// its label, so groups nest and two hosts of one name in two sites stay two. Source: the topology IDs of
// papers/001. Pure functions over the paths; no threads. Tested by tests/unit/topo_layout.cc.
#include "topo/layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/invariant.h"

namespace wan {
namespace {

using Groups = std::vector<std::int32_t>;
/// The group above and the own label; no label where the path ends above this level.
using GroupKey = std::pair<std::int32_t, std::optional<std::string>>;

std::optional<std::string> label_at(const Path& path, std::size_t depth) {
  if (depth >= path.size()) return std::nullopt;
  return path[depth];
}

/// The group of each rank at `depth` of the paths, numbered by lowest rank, inside the groups of the depth
/// above.
Groups groups_at(std::span<const Path> paths, std::size_t depth, const Groups& above) {
  std::map<GroupKey, std::int32_t> numbers;
  Groups groups(paths.size());
  for (std::size_t rank = 0; rank < paths.size(); ++rank) {
    const auto next = static_cast<std::int32_t>(numbers.size());
    groups[rank] = numbers.try_emplace({above[rank], label_at(paths[rank], depth)}, next).first->second;
  }
  return groups;
}

std::size_t deepest(std::span<const Path> paths) {
  return std::ranges::max_element(paths, {}, &Path::size)->size();
}

}  // namespace

Layout::Layout(std::span<const Path> paths, std::vector<bool> near_network)
    : near_network_(std::move(near_network)) {
  invariant(!paths.empty(), "a layout needs at least one rank");
  invariant(near_network_.empty() || near_network_.size() == paths.size(),
            "of each rank or of none it is known whether it is near the network");
  invariant(std::ranges::none_of(paths, &Path::empty), "every rank's path needs at least its site");
  site_of_ = groups_at(paths, 0, Groups(paths.size(), 0));
  for (std::size_t depth = 1; depth < deepest(paths); ++depth)
    groups_.push_back(groups_at(paths, depth, depth == 1 ? site_of_ : groups_.back()));
  name_sites(paths);
  order_ranks_by_site();
  order_carriers();
}

void Layout::name_sites(std::span<const Path> paths) {
  for (std::size_t rank = 0; rank < paths.size(); ++rank) {
    const bool first_of_its_site = static_cast<std::size_t>(site_of_[rank]) == names_.size();
    if (first_of_its_site) names_.push_back(paths[rank].front());
  }
}

void Layout::order_ranks_by_site() {
  by_site_.resize(site_of_.size());
  std::iota(by_site_.begin(), by_site_.end(), Rank{0});
  std::ranges::stable_sort(by_site_, {}, [this](Rank rank) { return site_of(rank); });
  site_begin_.assign(names_.size() + 1, 0);
  for (const SiteIndex site : site_of_) ++site_begin_[static_cast<std::size_t>(site) + 1];
  std::partial_sum(site_begin_.begin(), site_begin_.end(), site_begin_.begin());
}

void Layout::order_carriers() {
  carriers_ = by_site_;
  std::ranges::stable_sort(carriers_, std::less{},
                           [this](Rank rank) { return std::pair(site_of(rank), !is_near_network(rank)); });
  std::map<std::int32_t, int> on_host;
  std::vector<int> turn(site_of_.size());
  for (const Rank rank : carriers_)
    turn[static_cast<std::size_t>(rank)] = levels() > 0 ? on_host[group_of(0, rank)]++ : 0;
  std::ranges::sort(carriers_, std::less{}, [&](Rank rank) {
    return std::tuple(site_of(rank), turn[static_cast<std::size_t>(rank)], !is_near_network(rank), rank);
  });
}

Rank Layout::best_carrier(std::span<const Rank> ranks) const {
  return *std::ranges::min_element(ranks, std::less{},
                                   [this](Rank rank) { return std::pair(!is_near_network(rank), rank); });
}

Path Layout::path_of(Rank rank) const {
  Path path{site_name(site_of(rank))};
  for (int level = 0; level < levels(); ++level) path.push_back(std::to_string(group_of(level, rank)));
  return path;
}

Layout Layout::split_at(Rank split) const {
  std::vector<Path> paths;
  for (Rank rank = 0; rank < size(); ++rank) {
    paths.push_back(path_of(rank));
    if (rank >= split) paths.back().front() += '\'';
  }
  return Layout(paths, near_network_);
}

Layout Layout::of(std::span<const Rank> ranks) const {
  std::vector<Path> paths;
  std::vector<bool> near_network;
  for (const Rank rank : ranks) {
    paths.push_back(path_of(rank));
    if (!near_network_.empty()) near_network.push_back(is_near_network(rank));
  }
  return Layout(paths, std::move(near_network));
}

std::span<const Rank> Layout::of_site(std::span<const Rank> all, SiteIndex site) const {
  const auto at = static_cast<std::size_t>(site);
  return all.subspan(site_begin_[at], site_begin_[at + 1] - site_begin_[at]);
}

}  // namespace wan
