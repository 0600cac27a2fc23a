// SPDX-License-Identifier: BSD-3-Clause
#include "probe/clusters.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/invariant.h"

namespace wan::probe {
namespace {

/// Groups that grow together; each is named by its least host.
class Groups {
 public:
  explicit Groups(int hosts) : parent_(static_cast<std::size_t>(hosts)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int of(Host host) const {
    while (parent_[static_cast<std::size_t>(host)] != host) host = parent_[static_cast<std::size_t>(host)];
    return host;
  }
  /// Were they apart?
  bool join(Host a, Host b) {
    const auto [least, other] = std::minmax({of(a), of(b)});
    parent_[static_cast<std::size_t>(other)] = least;
    return least != other;
  }
  Partition partition() const {
    std::vector<int> labels;
    for (Host host = 0; host < static_cast<Host>(parent_.size()); ++host) labels.push_back(of(host));
    return partition_by(labels);
  }

 private:
  std::vector<Host> parent_;
};

std::vector<Distance> ascending(std::span<const Distance> distances) {
  std::vector<Distance> sorted(distances.begin(), distances.end());
  std::ranges::sort(sorted, {}, [](const Distance& distance) {
    const auto [low, high] = std::minmax(distance.a, distance.b);
    return std::tuple(distance.round_trip_ns, low, high);
  });
  return sorted;
}

bool is_gap(Nanoseconds shorter, Nanoseconds longer) {
  return static_cast<double>(longer) >= kGap * static_cast<double>(std::max(shorter, kNothing));
}

}  // namespace

std::vector<std::vector<Host>> Partition::members() const {
  std::vector<std::vector<Host>> result(static_cast<std::size_t>(groups));
  for (std::size_t host = 0; host < group_of.size(); ++host)
    result[static_cast<std::size_t>(group_of[host])].push_back(static_cast<Host>(host));
  return result;
}

Partition partition_by(std::span<const int> labels) {
  Partition partition;
  std::map<int, int> numbers;
  for (const int label : labels)
    partition.group_of.push_back(numbers.try_emplace(label, static_cast<int>(numbers.size())).first->second);
  partition.groups = static_cast<int>(numbers.size());
  return partition;
}

std::vector<Level> levels_of(int hosts, std::span<const Distance> distances) {
  std::vector<Level> levels;
  Groups groups(hosts);
  Nanoseconds longest = 0;
  for (const Distance& each : ascending(distances)) {
    if (groups.of(each.a) == groups.of(each.b)) continue;
    if (is_gap(longest, each.round_trip_ns))
      levels.push_back({groups.partition(), longest, each.round_trip_ns});
    groups.join(each.a, each.b);
    longest = each.round_trip_ns;
  }
  levels.push_back({groups.partition(), longest, 0});
  return levels;
}

Partition sites_of(std::span<const Level> levels) {
  invariant(!levels.empty(), "hosts without a level");
  const auto wide =
      std::ranges::find_if(levels, [](const Level& level) { return level.outside_ns >= kLeastWide; });
  return wide == levels.end() ? levels.back().partition : wide->partition;
}

}  // namespace wan::probe
