// SPDX-License-Identifier: BSD-3-Clause
#include "multicast/places.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/index.h"
#include "base/invariant.h"

namespace wan::multicast {

Places::Places(Rank size, std::vector<std::vector<std::int32_t>> groups) : groups_(std::move(groups)) {
  invariant(size > 0, "no processes");
  for (const auto& level : groups_)
    invariant(level.size() == static_cast<std::size_t>(size), "a level without a group of each rank");
  ranks_.resize(at(size));
  std::iota(ranks_.begin(), ranks_.end(), 0);
  std::ranges::stable_sort(ranks_, [this](Rank a, Rank b) {
    for (const auto& level : groups_)
      if (level[at(a)] != level[at(b)]) return level[at(a)] < level[at(b)];
    return false;
  });
  for (auto& level : groups_) {
    std::vector<std::int32_t> ordered;
    ordered.reserve(ranks_.size());
    for (const Rank rank : ranks_) ordered.push_back(level[at(rank)]);
    level = std::move(ordered);
  }
}

Places Places::of(const Layout& layout) {
  std::vector<std::vector<std::int32_t>> groups(1);
  for (Rank rank = 0; rank < layout.size(); ++rank) groups[0].push_back(layout.site_of(rank));
  for (int level = 0; level < layout.levels(); ++level) {
    auto& below = groups.emplace_back();
    for (Rank rank = 0; rank < layout.size(); ++rank) below.push_back(layout.group_of(level, rank));
  }
  return {layout.size(), std::move(groups)};
}

std::vector<Position> Places::positions() const {
  std::vector<Position> positions(ranks_.size());
  for (std::size_t position = 0; position < ranks_.size(); ++position)
    positions[at(ranks_[position])] = static_cast<Position>(position);
  return positions;
}

std::vector<Position> Places::borders(int level, const Range& range) const {
  const auto& groups = groups_[at(level)];
  std::vector<Position> borders;
  for (Position begin = range.begin; begin < range.end;) {
    borders.push_back(begin);
    const auto next = std::upper_bound(groups.begin() + begin, groups.begin() + range.end, groups[at(begin)]);
    begin = static_cast<Position>(next - groups.begin());
  }
  borders.push_back(range.end);
  return borders;
}

}  // namespace wan::multicast
