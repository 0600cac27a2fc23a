// SPDX-License-Identifier: BSD-3-Clause
// multicast/routing_table.h: to whom a process forwards.
#include "multicast/routing_table.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/unit/multicast_tables.h"

namespace wan::multicast {
namespace {

using Digits = std::vector<int>;

std::vector<Range> ranges(const RoutingTable& table, int row) {
  std::vector<Range> ranges;
  for (const Entry& each : table.entries(row)) ranges.push_back(each.range);
  return ranges;
}

TEST(RoutingTable, NumbersProcessesInDigits) {
  EXPECT_EQ(table_of_eight(0).digits(), (Digits{0, 0, 0}));
  EXPECT_EQ(table_of_eight(1).digits(), (Digits{0, 0, 1}));
  EXPECT_EQ(table_of_eight(6).digits(), (Digits{1, 1, 0}));
}

TEST(RoutingTable, HasAnEntryForEachOtherDigitOfARow) {
  const RoutingTable table = table_of_eight(1);
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(ranges(table, 0), (std::vector<Range>{{4, 8}}));
  EXPECT_EQ(ranges(table, 1), (std::vector<Range>{{2, 4}}));
  EXPECT_EQ(ranges(table, 2), (std::vector<Range>{{0, 1}}));
  EXPECT_EQ(table.range(0), (Range{0, 8}));
  EXPECT_EQ(table.range(2), (Range{0, 2}));
  EXPECT_EQ(table.range(3), (Range{1, 2}));
}

TEST(RoutingTable, KnowsHowManyDigitsAreCommon) {
  const RoutingTable table = table_of_eight(1);
  EXPECT_EQ(table.common_digits(5), 0);
  EXPECT_EQ(table.common_digits(3), 1);
  EXPECT_EQ(table.common_digits(0), 2);
  EXPECT_EQ(table.common_digits(1), 3);
}

/// Three sites of 3, 1 and 2 processes; there is no second digit of a process at the second site.
TEST(RoutingTable, LeavesHolesEmpty) {
  const Places places(6, {{0, 0, 0, 1, 2, 2}});
  const RoutingTable lonely(places, 3, std::vector{8, 2});
  ASSERT_EQ(lonely.rows(), 1);
  EXPECT_EQ(ranges(lonely, 0), (std::vector<Range>{{0, 3}, {4, 6}}));
  const RoutingTable other(places, 1, std::vector{8, 2});
  ASSERT_EQ(other.rows(), 3);
  EXPECT_EQ(lonely.site(), (Range{3, 4}));
  EXPECT_EQ(other.site(), (Range{0, 3}));
  EXPECT_EQ(other.digits(), (Digits{0, 1, 0}));
  EXPECT_EQ(ranges(other, 1), (std::vector<Range>{{0, 1}}));
  EXPECT_EQ(ranges(other, 2), (std::vector<Range>{{2, 3}}));
}

TEST(RoutingTable, SharesManyGroupsOutOverSeveralDigits) {
  std::vector<std::int32_t> site_of(10);
  for (std::size_t i = 0; i < site_of.size(); ++i) site_of[i] = static_cast<std::int32_t>(i);
  const RoutingTable table(Places(10, {site_of}), 9, std::vector{4});
  EXPECT_EQ(table.digits(), (Digits{3, 2}));
  EXPECT_EQ(ranges(table, 0), (std::vector<Range>{{0, 2}, {2, 5}, {5, 7}}));
  EXPECT_EQ(ranges(table, 1), (std::vector<Range>{{7, 8}, {8, 9}}));
}

TEST(RoutingTable, TakesTheMasterOfLeastCost) {
  const auto cost = [](Position position) { return position == 5 ? 1.0 : 2.0; };
  for (Position self = 0; self < 4; ++self)
    EXPECT_EQ(RoutingTable(Places(8, {}), self, std::vector{2}, cost).entries(0)[0].master, 5);
}

TEST(RoutingTable, SpreadsMastersOfEqualCost) {
  std::set<Position> masters;
  const Places places(512, {});
  for (Position self = 0; self < 256; ++self)
    masters.insert(RoutingTable(places, self, std::vector{2}).entries(0)[0].master);
  EXPECT_GT(masters.size(), 128u) << "256 draws of 256 hit about 162 of them";
}

TEST(RoutingTable, IsEmptyForOneProcess) {
  const RoutingTable table(Places(1, {}), 0, std::vector{2});
  EXPECT_EQ(table.rows(), 0);
  EXPECT_EQ(table.common_digits(0), 0);
  EXPECT_EQ(table.range(0), (Range{0, 1}));
}

TEST(RoutingTableDeathTest, RefusesWhatIsNoTable) {
  EXPECT_DEATH(RoutingTable(Places(2, {}), 2, std::vector{2}), "outside the domain");
  EXPECT_DEATH(RoutingTable(Places(2, {}), 0, std::vector{1}), "one value");
  EXPECT_DEATH(table_of_eight(0).common_digits(8), "outside the domain");
}

}  // namespace
}  // namespace wan::multicast
