// SPDX-License-Identifier: BSD-3-Clause
// algo/choice/wide_tree.h: no tree where the star does, one where a detour is shorter or where the root would
// be busy for too long; what it saves by the simulator.
#include <gtest/gtest.h>

#include "algo/choice/choice.h"
#include "algo/choice/wide_tree.h"
#include "algo/schedule.h"
#include "check/simulate.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Sites = std::vector<SiteIndex>;
constexpr Nanoseconds kMs = 1'000'000;

Sites children(const WideTree& tree, SiteIndex site) {
  const auto found = tree.tree.children_of(site);
  return {found.begin(), found.end()};
}

GlobalCall separate_call(Collective collective, Count block, Rank size) {
  GlobalCall call;
  call.collective = collective;
  call.size = size;
  call.block = block;
  call.placements.assign(static_cast<std::size_t>(size), Placement::separate);
  return call;
}

/// A rank a site. From a to c directly takes 100 ms, by way of b 40 ms; the other way round all is symmetric.
Topology detour() {
  Topology topology = topology_of("a b c");
  std::vector<Link> links(9, Link{20 * kMs, 12'500'000, 0});
  links[0 * 3 + 2].latency_ns = links[2 * 3 + 0].latency_ns = 100 * kMs;
  topology.network = uncapped_network(3, links);
  return topology;
}

/// A rank a site, all links equal.
Topology many_sites(SiteIndex sites, Link link) {
  std::vector<Path> paths;
  for (SiteIndex site = 0; site < sites; ++site) paths.push_back({std::to_string(site)});
  return {Layout(paths), Network(sites, link)};
}

Nanoseconds simulated(const Topology& topology, const GlobalCall& call, Algorithm algorithm) {
  Tuning tuning;
  tuning.algorithms.force(call.collective, algorithm);
  return simulate(plan_all(topology, tuning, call), Model(topology, Machine{}), call.unit_bytes).end;
}

TEST(WideTree, IsNoneWhereTheStarDoes) {
  for (const Collective collective : {Collective::bcast, Collective::reduce})
    for (const Count block : {8, 100'000, 10'000'000})
      EXPECT_FALSE(wide_tree_of(topology_of("a b c d"), {}, separate_call(collective, block, 4).view(0)));
  EXPECT_FALSE(wide_tree_of(topology_of("a b"), {}, separate_call(Collective::bcast, 8, 2).view(0)));
}

TEST(WideTree, TakesADetourThatIsShorter) {
  const Topology topology = detour();
  for (const Collective collective : {Collective::bcast, Collective::reduce}) {
    const GlobalCall call = separate_call(collective, 8, 3);
    const auto tree = wide_tree_of(topology, {}, call.view(0));
    ASSERT_TRUE(tree);
    EXPECT_EQ(children(*tree, 0), Sites{1});
    EXPECT_EQ(children(*tree, 1), Sites{2});
    EXPECT_NEAR(static_cast<double>(tree->time_ns), 40e6, 1e5);
    EXPECT_EQ(choose(topology, {}, call.view(0)).algorithm(), Algorithm::tree);
    EXPECT_NEAR(static_cast<double>(simulated(topology, call, Algorithm::tree)),
                static_cast<double>(tree->time_ns), 2e4);  // with headers
    EXPECT_GT(simulated(topology, call, Algorithm::direct), 100 * kMs);
  }
}

TEST(WideTree, OfAReductionLooksAtTheLinksToTheRoot) {
  Topology topology = detour();
  std::vector<Link> links(9, Link{20 * kMs, 12'500'000, 0});
  links[2 * 3 + 0].latency_ns = 100 * kMs;
  topology.network = uncapped_network(3, links);
  EXPECT_TRUE(wide_tree_of(topology, {}, separate_call(Collective::reduce, 8, 3).view(0)));
  EXPECT_FALSE(wide_tree_of(topology, {}, separate_call(Collective::bcast, 8, 3).view(0)));
}

TEST(WideTree, LeavesAReductionInRankOrderToTheStar) {
  GlobalCall call = separate_call(Collective::reduce, 8, 3);
  EXPECT_TRUE(wide_tree_of(detour(), {}, call.view(0)));
  call.order = OperandOrder::rank;
  EXPECT_FALSE(wide_tree_of(detour(), {}, call.view(0)));
}

// 100 sites 0.2 ms away: to send to all of them takes the root 1 ms.
TEST(WideTree, SparesARootThatWouldBeBusyForTooLong) {
  const Topology topology = many_sites(100, Link{200'000, 125'000'000, 0});
  for (const Collective collective : {Collective::bcast, Collective::reduce}) {
    const GlobalCall call = separate_call(collective, 8, 100);
    const auto tree = wide_tree_of(topology, {}, call.view(0));
    ASSERT_TRUE(tree);
    const Nanoseconds by_tree = simulated(topology, call, Algorithm::tree),
                      direct = simulated(topology, call, Algorithm::direct);
    EXPECT_LT(by_tree, direct - direct / 4);
    EXPECT_NEAR(static_cast<double>(by_tree), static_cast<double>(tree->time_ns),
                static_cast<double>(tree->time_ns) / 10);
  }
  EXPECT_FALSE(wide_tree_of(many_sites(100, Link{10 * kMs, 125'000'000, 0}), {},
                            separate_call(Collective::bcast, 8, 100).view(0)));
}

TEST(WideTree, SparesASlowAccessLink) {
  Topology topology = topology_of("a b c d e f");
  std::vector<std::optional<BytesPerSecond>> up(6), down(6);
  up[0] = 1'000'000;
  topology.network = Network(6, std::vector<Link>(36, Link{kMs, 125'000'000, 0}), up, down);
  const GlobalCall call = separate_call(Collective::bcast, 30'000, 6);
  const auto tree = wide_tree_of(topology, {}, call.view(0));
  ASSERT_TRUE(tree);
  EXPECT_EQ(children(*tree, 0).size(), 1u);
  EXPECT_LT(simulated(topology, call, Algorithm::tree), simulated(topology, call, Algorithm::direct) / 3);
}

TEST(WideTree, CanBeForced) {
  Tuning tuning;
  tuning.algorithms.force(Collective::bcast, Algorithm::tree);
  const Call call = separate_call(Collective::bcast, 8, 4).view(0);
  EXPECT_EQ(choose(topology_of("a b c d"), tuning, call).algorithm(), Algorithm::tree);
  EXPECT_EQ(choose(topology_of("a b b b"), tuning, call).algorithm(), Algorithm::direct);
}

}  // namespace
}  // namespace wan
