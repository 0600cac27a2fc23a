// SPDX-License-Identifier: BSD-3-Clause
#include "tools/survey/measurements.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace wan::tools::survey {
namespace {

using Hosts = std::pair<probe::Host, probe::Host>;

template <class Value>
void append(std::vector<Value>& all, const std::vector<Value>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Of sites, one to another.
class Ways {
 public:
  explicit Ways(const probe::Partition& sites) : sites_(sites) {}
  void add(probe::Host from, probe::Host to) { ways_.insert(way(from, to)); }
  /// Was it not there?
  bool is_new(probe::Host from, probe::Host to) { return ways_.insert(way(from, to)).second; }
  bool is_inside(probe::Host from, probe::Host to) const { return site(from) == site(to); }

 private:
  int site(probe::Host host) const { return sites_.group_of[static_cast<std::size_t>(host)]; }
  std::pair<int, int> way(probe::Host from, probe::Host to) const { return {site(from), site(to)}; }

  const probe::Partition& sites_;
  std::set<std::pair<int, int>> ways_;
};

}  // namespace

void append(Measurements& all, const Measurements& more) {
  append(all.errands, more.errands);
  append(all.findings, more.findings);
}

std::vector<Pair> unreached_pairs(const Measurements& measured) {
  std::set<Hosts> unreached;
  for (const probe::Errand& each : measured.errands) unreached.emplace(each.from, each.to);
  for (const probe::Finding& each : measured.findings)
    if (!each.round_trips.empty()) unreached.erase({each.from, each.to});
  std::map<probe::Host, int> troubles;
  for (const auto& [from, to] : unreached) ++troubles[from], ++troubles[to];
  std::vector<Pair> pairs;
  for (const auto& [from, to] : unreached) pairs.push_back({from, to});
  std::ranges::stable_sort(pairs, std::greater(), [&](const Pair& pair) {
    return std::max(troubles[pair.from], troubles[pair.to]);
  });
  return pairs;
}

std::vector<Pair> untimed_pairs(const probe::Partition& sites, const Measurements& measured) {
  Ways seen(sites);
  for (const probe::Finding& each : measured.findings) {
    if (!each.there.empty()) seen.add(each.from, each.to);
    if (!each.back.empty()) seen.add(each.to, each.from);
  }
  std::vector<Pair> pairs;
  for (const probe::Errand& each : measured.errands) {
    if (each.depth != probe::Depth::study || seen.is_inside(each.from, each.to)) continue;
    if (seen.is_new(each.from, each.to)) pairs.push_back({each.from, each.to});
    if (seen.is_new(each.to, each.from)) pairs.push_back({each.to, each.from});
  }
  return pairs;
}

std::vector<probe::Finding> Recorder::run(const std::vector<probe::Errand>& errands) {
  auto findings = surroundings_.run(errands);
  append(measured_, {errands, findings});
  return findings;
}

}  // namespace wan::tools::survey
