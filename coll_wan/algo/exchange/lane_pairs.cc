// SPDX-License-Identifier: BSD-3-Clause
#include "algo/exchange/lane_pairs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace wan {
namespace {

/// Lanes one after the other.
class LaneDealer {
 public:
  explicit LaneDealer(std::span<const std::vector<Rank>> sites) : sites_(sites) {}

  std::vector<Rank> next() {
    std::vector<Rank> chosen;
    for (const auto& ranks : sites_)
      chosen.push_back(*std::ranges::min_element(
          ranks, {}, [&](Rank rank) { return std::tuple(pairs(chosen, rank), lanes_of_[rank]); }));
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      ++lanes_of_[chosen[i]];
      for (std::size_t before = 0; before < i; ++before) ++lanes_between_[{chosen[before], chosen[i]}];
    }
    return chosen;
  }

 private:
  /// Lanes that go between this rank and one of those already.
  int pairs(std::span<const Rank> others, Rank rank) const {
    int pairs = 0;
    for (const Rank other : others)
      if (const auto found = lanes_between_.find({other, rank}); found != lanes_between_.end())
        pairs += found->second;
    return pairs;
  }

  std::span<const std::vector<Rank>> sites_;
  std::map<Rank, int> lanes_of_;
  std::map<std::pair<Rank, Rank>, int> lanes_between_;
};

}  // namespace

std::vector<std::vector<Rank>> coordinators_of_lanes(std::span<const std::vector<Rank>> sites, int lanes) {
  LaneDealer dealer(sites);
  std::vector<std::vector<Rank>> coordinators;
  for (int lane = 0; lane < lanes; ++lane) coordinators.push_back(dealer.next());
  return coordinators;
}

}  // namespace wan
