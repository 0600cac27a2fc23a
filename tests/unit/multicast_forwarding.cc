// SPDX-License-Identifier: BSD-3-Clause
// multicast/forwarding.h: the next step of a multicast.
#include "multicast/forwarding.h"

#include <gtest/gtest.h>

#include <vector>

namespace wan::multicast {
namespace {

RoutingTable table_of_eight(Position self) {
  return {Places(8, {}), self, std::vector{2}};
}

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

}  // namespace
}  // namespace wan::multicast
