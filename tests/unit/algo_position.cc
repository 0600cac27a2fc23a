// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/position.h: coordinators with and without a root, the farthest site first, the place in the
// own site's tree.
#include <gtest/gtest.h>

#include "algo/exchange/position.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

using Ranks = std::vector<Rank>;
using Sites = std::vector<SiteIndex>;

// Ranks 0 2 5 at a, 1 4 at b, 3 at c.
constexpr const char* kWords = "a b a c b a";
const Tuning kUsual;

TEST(Position, WithoutARootTheLowestRankCoordinates) {
  const Topology topology = topology_of(kWords);
  const Position position(topology, {}, 5, std::nullopt);
  EXPECT_EQ(position.me(), 5);
  EXPECT_EQ(position.size(), 6);
  EXPECT_EQ(position.site(), 0);
  EXPECT_EQ(position.coordinator_of(0), 0);
  EXPECT_EQ(position.coordinator_of(1), 1);
  EXPECT_EQ(position.coordinator_of(2), 3);
  EXPECT_FALSE(position.is_coordinator());
  EXPECT_EQ(position.parent(), 0);
}

TEST(Position, WhoIsNearTheNetworkCoordinates) {
  Topology topology = topology_of("a b a");
  topology.layout = Layout(std::vector<Path>{{"a", "1"}, {"b", "2"}, {"a", "1"}}, {false, false, true});
  EXPECT_EQ(Position(topology, {}, 0, std::nullopt).coordinator_of(0), 2);
  EXPECT_EQ(Position(topology, {}, 0, 0).coordinator_of(0), 0) << "but for the root";
  EXPECT_EQ(Position(topology, {}, 0, std::nullopt).parent(), 2);
}

TEST(Position, TheRootCoordinatesItsSite) {
  const Topology topology = topology_of(kWords);
  const Position at_root(topology, {}, 5, 5);
  EXPECT_EQ(at_root.coordinator_of(0), 5);
  EXPECT_EQ(at_root.coordinator_of(1), 1);
  EXPECT_TRUE(at_root.is_coordinator());
  EXPECT_EQ(at_root.parent(), std::nullopt);
  EXPECT_EQ(Ranks(at_root.children().begin(), at_root.children().end()), (Ranks{0, 2}));
  EXPECT_EQ(Position(topology, {}, 4, 5).parent(), 1);
}

TEST(Position, TheFarthestSiteComesFirstEqualOnesInOrder) {
  Topology topology = topology_of("a b c d");
  std::vector<Link> links(16, Link{10, 1, 0});
  links[0 * 4 + 2].latency_ns = 30;
  links[3 * 4 + 1].latency_ns = 5;
  topology.network = uncapped_network(4, links);
  const auto sites_from = [&](Rank me) {
    const Position position(topology, {}, me, std::nullopt);
    return Sites(position.other_sites().begin(), position.other_sites().end());
  };
  EXPECT_EQ(sites_from(0), (Sites{2, 1, 3}));
  EXPECT_EQ(sites_from(1), (Sites{0, 2, 3}));
  EXPECT_EQ(sites_from(3), (Sites{0, 2, 1}));
}

/// Of site 0, by lane.
Ranks coordinators(const std::string& words, std::optional<Rank> root, int lanes) {
  const Topology topology = topology_of(words);
  Ranks found;
  for (const Position& each : Position(topology, kUsual, 0, root).in_lanes(lanes))
    found.push_back(each.coordinator_of(0));
  return found;
}

TEST(Position, LanesTakeOtherHostsFirstAndThenAllRanksAgain) {
  EXPECT_EQ(coordinators("a a b a", std::nullopt, 5), (Ranks{0, 1, 3, 0, 1}));
  EXPECT_EQ(coordinators("a1 a1 a2 a2 b1", std::nullopt, 5), (Ranks{0, 2, 1, 3, 0}));
  EXPECT_EQ(coordinators("a1 a1 a2 a2 b1", 4, 4), (Ranks{0, 2, 1, 3}));
}

TEST(Position, TheRootChangesPlacesInTheOrderOfLanes) {
  EXPECT_EQ(coordinators("a1 a1 a2 a2 b1", 1, 5), (Ranks{1, 2, 0, 3, 1}));
}

TEST(Position, OfAnotherLaneTheTreeHasAnotherRootButInTheRootsSite) {
  const Topology topology = topology_of("a b a c b a");
  const Position elsewhere = Position(topology, kUsual, 4, 0).in_lanes(2)[1],
                 at_root = Position(topology, kUsual, 2, 0).in_lanes(2)[1];
  EXPECT_TRUE(elsewhere.is_coordinator());
  EXPECT_EQ(elsewhere.parent(), std::nullopt);
  EXPECT_TRUE(at_root.is_coordinator());
  EXPECT_EQ(at_root.parent(), 0);
}

TEST(Position, TakesTheTreeThatTheUserChose) {
  const Topology topology = topology_of("a a a");
  Tuning tuning;
  tuning.tree = TreeShape::chain;
  EXPECT_EQ(Position(topology, tuning, 2, std::nullopt).parent(), 1);
  tuning.tree = TreeShape::flat;
  EXPECT_EQ(Position(topology, tuning, 2, std::nullopt).parent(), 0);
}

}  // namespace
}  // namespace wan
