// SPDX-License-Identifier: BSD-3-Clause
// multicast/places.h: processes in the order of their places.
#include "multicast/places.h"

#include <gtest/gtest.h>

#include <vector>

namespace wan::multicast {
namespace {

using Ranks = std::vector<Rank>;
using Positions = std::vector<Position>;

TEST(Places, FollowGroupsThenRanks) {
  const Places places(6, {{1, 0, 1, 0, 1, 0}, {5, 9, 4, 9, 5, 8}});
  EXPECT_EQ(places.ranks(), (Ranks{5, 1, 3, 2, 0, 4}));
  EXPECT_EQ(places.positions(), (Positions{4, 1, 3, 2, 5, 0}));
  EXPECT_EQ(places.levels(), 2);
}

TEST(Places, KnowWhereGroupsBegin) {
  const Places places(6, {{1, 0, 1, 0, 1, 0}, {5, 9, 4, 9, 5, 8}});
  EXPECT_EQ(places.borders(0, {0, 6}), (Positions{0, 3, 6}));
  EXPECT_EQ(places.borders(1, {0, 3}), (Positions{0, 1, 3}));
  EXPECT_EQ(places.borders(1, {3, 6}), (Positions{3, 4, 6}));
}

TEST(Places, TellGroupsOfDifferentParentsApart) {
  const Places places(4, {{0, 0, 1, 1}, {7, 7, 7, 7}});
  EXPECT_EQ(places.borders(1, {0, 2}), (Positions{0, 2}));
  EXPECT_EQ(places.borders(1, {2, 4}), (Positions{2, 4}));
}

TEST(Places, HaveNoLevelsWhereNothingIsKnown) {
  EXPECT_EQ(Places(3, {}).ranks(), (Ranks{0, 1, 2}));
}

TEST(Places, ComeFromALayout) {
  const std::vector<Path> paths{{"b", "b1"}, {"a", "a1"}, {"b", "b2"}, {"b", "b1"}};
  const Places places = Places::of(Layout(paths));
  EXPECT_EQ(places.ranks(), (Ranks{0, 3, 2, 1}));
  EXPECT_EQ(places.borders(0, {0, 4}), (Positions{0, 3, 4}));
  EXPECT_EQ(places.borders(1, {0, 3}), (Positions{0, 2, 3}));
}

TEST(PlacesDeathTest, NeedAGroupOfEachRank) {
  EXPECT_DEATH(Places(3, {{0, 1}}), "a level without a group of each rank");
  EXPECT_DEATH(Places(0, {}), "no processes");
}

}  // namespace
}  // namespace wan::multicast
