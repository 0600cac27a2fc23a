// SPDX-License-Identifier: BSD-3-Clause
// multicast/forwarding.h: the next step of a multicast.
#include "multicast/forwarding.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/multicast_tables.h"

namespace wan::multicast {
namespace {

/// Figure 2 of papers/001: 001 sends to 010, 100 and 101, over a master of 1** and one of 01*.
TEST(Forwarding, SendsToAMasterForEachPrefix) {
  const RoutingTable table = table_of_eight(1);
  const auto first = branches(table, 0, Destinations({2, 4, 5}), Forwarder::master);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].range, (Range{4, 8}));
  EXPECT_EQ(first[0].to, table.entries(0)[0].master);
  EXPECT_EQ(first[0].destinations, Destinations({4, 5}));
  EXPECT_EQ(first[1].range, (Range{2, 4}));
  EXPECT_EQ(first[1].destinations, Destinations({2}));
}

TEST(Forwarding, PassesDestinationsOnlyWherePossible) {
  for (Position self = 0; self < 4; ++self) {
    const auto first = branches(table_of_eight(self), 0, Destinations({4, 7}), Forwarder::destination);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_TRUE(first[0].to == 4 || first[0].to == 7);
  }
}

TEST(Forwarding, GoesOnAtTheRowAfterTheCommonDigits) {
  const RoutingTable table = table_of_eight(6);
  EXPECT_EQ(row_after(table, 1), 1);
  EXPECT_EQ(row_after(table, 4), 2);
  EXPECT_EQ(row_after(table, 7), 3);
  const auto next = branches(table, 1, Destinations({2, 4, 5, 6, 7}), Forwarder::destination);
  ASSERT_EQ(next.size(), 2u) << "2 has not its first digit, and is not for it to care";
  EXPECT_EQ(next[0].destinations, Destinations({4, 5}));
  EXPECT_EQ(next[1].to, 7);
}

TEST(Forwarding, EndsAtTheLastRow) {
  EXPECT_TRUE(branches(table_of_eight(6), 3, Destinations({2, 6, 7}), Forwarder::master).empty());
  EXPECT_TRUE(branches(table_of_eight(6), 0, Destinations({6}), Forwarder::master).empty()) << "itself";
}

/// Two sites of four hosts of one process each, and then one of one.
RoutingTable table_of_sites(Position self) {
  return {Places(9, {{0, 0, 0, 0, 1, 1, 1, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8}}), self, std::vector{8, 2}};
}
/// A site of three hosts of three.
RoutingTable table_of_hosts(Position self) {
  return {Places(9, {std::vector<std::int32_t>(9), {0, 0, 0, 1, 1, 1, 2, 2, 2}}), self, std::vector{2}};
}

const Destinations kAllOfNine({0, 1, 2, 3, 4, 5, 6, 7, 8});

TEST(Forwarding, EntersOtherSitesByTheTableAndItsOwnByAChain) {
  const auto first =
      branches(table_of_sites(2), 0, kAllOfNine, Forwarder::destination, {.children = 1, .leg = Leg::table});
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0].range, (Range{4, 8}));
  EXPECT_EQ(first[0].leg, Leg::table);
  EXPECT_EQ(first[1].to, 8);
  EXPECT_EQ(first[2].to, 3);
  EXPECT_EQ(first[2].range, (Range{0, 4}));
  EXPECT_EQ(first[2].destinations, Destinations({0, 1, 3}));
  EXPECT_EQ(first[2].leg, Leg::chain);
}

TEST(Forwarding, GoesRoundASiteFromWhereItHasEntered) {
  std::vector<Position> way;
  std::vector<Leg> legs;
  Branch last{5, {4, 8}, Destinations({4, 6, 7})};
  for (int row = row_after(table_of_sites(5), 0);; row = 4) {
    const auto next = branches(table_of_sites(last.to), row, last.destinations, Forwarder::destination,
                               {.children = 1, .leg = last.leg});
    if (next.empty()) break;
    ASSERT_EQ(next.size(), 1u);
    last = next[0];
    way.push_back(last.to);
    legs.push_back(last.leg);
  }
  EXPECT_EQ(way, (std::vector<Position>{6, 7, 4}));
  EXPECT_EQ(legs, (std::vector<Leg>{Leg::chain, Leg::chain, Leg::wrapped}));
}

TEST(Forwarding, GoesByTheTableInsideAHost) {
  const auto first = branches(table_of_hosts(4), 0, kAllOfNine, Forwarder::destination, {.children = 1});
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0].destinations, Destinations({3}));
  EXPECT_EQ(first[1].destinations, Destinations({5}));
  EXPECT_EQ(first[1].leg, Leg::table);
  EXPECT_EQ(first[2].to, 6);
  EXPECT_EQ(first[2].destinations, Destinations({6, 7, 8, 0, 1, 2}));
  EXPECT_EQ(first[2].leg, Leg::chain);
  const auto next = branches(table_of_hosts(6), table_of_hosts(6).host_row(), first[2].destinations,
                             Forwarder::destination, {.children = 1, .leg = Leg::chain});
  EXPECT_EQ(next.back().to, 0);
  EXPECT_EQ(next.back().destinations, Destinations({0, 1, 2}));
  EXPECT_EQ(next.back().leg, Leg::wrapped);
  // Which has all of it from the host's first.
  const RoutingTable other = table_of_hosts(3);
  EXPECT_EQ(branches(other, row_after(other, 4), kAllOfNine, Forwarder::destination, {.children = 1}).size(),
            0u);
}

TEST(Forwarding, SplitsAChainIntoPartsThatFollowEachOther) {
  const RoutingTable table(Places(9, {}), 6, std::vector{2});
  const auto first = branches(table, 0, kAllOfNine, Forwarder::master, {.children = 3, .leg = Leg::table});
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0].to, 7);
  EXPECT_EQ(first[0].destinations, Destinations({7, 8}));
  EXPECT_EQ(first[1].to, 0);
  EXPECT_EQ(first[1].destinations, Destinations({0, 1, 2}));
  EXPECT_EQ(first[1].leg, Leg::wrapped);
  EXPECT_EQ(first[2].destinations, Destinations({3, 4, 5}));
  const auto few =
      branches(table, 0, Destinations({1, 6}), Forwarder::master, {.children = 3, .leg = Leg::table});
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].to, 1);
}

TEST(Forwarding, StaysWrapped) {
  const RoutingTable table(Places(9, {}), 2, std::vector{2});
  const auto next = branches(table, table.rows(), Destinations({2, 3, 4}), Forwarder::destination,
                             {.children = 1, .leg = Leg::wrapped});
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].to, 3);
  EXPECT_EQ(next[0].leg, Leg::wrapped);
}

}  // namespace
}  // namespace wan::multicast
