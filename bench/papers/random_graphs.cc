// SPDX-License-Identifier: BSD-3-Clause
#include "bench/papers/random_graphs.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wan::bench {
namespace {

constexpr Nanoseconds kUnit = 1'000;
constexpr int kClasses = 3;
constexpr int kLongestSending = 10, kLongestInjection = 20;

}  // namespace

std::vector<int> Random::different(int count, int most) {
  std::vector<int> all(static_cast<std::size_t>(most));
  std::iota(all.begin(), all.end(), 1);
  while (static_cast<int>(all.size()) > count)
    all.erase(all.begin() + pick(0, static_cast<int>(all.size()) - 1));
  return all;
}

void Random::shuffle(std::vector<NodeIndex>& nodes) {
  for (std::size_t left = nodes.size(); left > 1; --left)
    std::swap(nodes[left - 1], nodes[static_cast<std::size_t>(pick(0, static_cast<int>(left) - 1))]);
}

ClusterGraph ClusterFamily::draw(Random& random, NodeIndex nodes) const {
  const auto sending = random.different(kClasses, kLongestSending);
  const auto receiving =
      longest_receiving > 1 ? random.different(kClasses, longest_receiving) : std::vector<int>(kClasses, 1);
  std::vector<NodeSpeed> speeds;
  for (NodeIndex node = 0; node < nodes; ++node) {
    const auto of = static_cast<std::size_t>(random.pick(0, kClasses - 1));
    speeds.push_back({sending[of] * kUnit, receiving[of] * kUnit});
  }
  return {speeds, 0};
}

std::vector<ClusterFamily> cluster_families() {
  return {{"receiving 1", 1}, {"receiving 1-3", 3}, {"receiving 1-10", 10}, {"receiving 1-30", 30}};
}

LinkGraph LinkFamily::draw(Random& random, NodeIndex nodes) const {
  std::vector<SendCost> costs(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes));
  for (SendCost& cost : costs)
    cost = {random.pick(1, kLongestInjection) * kUnit, random.pick(1, longest_weight) * kUnit};
  return {nodes, costs};
}

std::vector<LinkFamily> link_families() {
  return {{"weight 1-20", 20}, {"weight 1-200", 200}};
}

}  // namespace wan::bench
