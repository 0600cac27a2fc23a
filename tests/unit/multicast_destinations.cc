// SPDX-License-Identifier: BSD-3-Clause
// multicast/destinations.h: sets of processes.
#include "multicast/destinations.h"

#include <gtest/gtest.h>

#include <vector>

namespace wan::multicast {
namespace {

std::vector<Range> ranges(const Destinations& destinations) {
  return {destinations.ranges().begin(), destinations.ranges().end()};
}

TEST(Destinations, AreRangesOfPositions) {
  const Destinations some({7, 3, 4, 3, 9, 8});
  EXPECT_EQ(ranges(some), (std::vector<Range>{{3, 5}, {7, 10}}));
  EXPECT_EQ(some.size(), 5);
  EXPECT_TRUE(some.contain(3) && some.contain(4) && some.contain(9));
  EXPECT_FALSE(some.contain(2) || some.contain(5) || some.contain(10));
  EXPECT_TRUE(Destinations().empty());
  EXPECT_FALSE(Destinations().contain(0));
}

TEST(Destinations, AreCutToARange) {
  const Destinations some({3, 4, 7, 8, 9});
  EXPECT_EQ(ranges(some.within({4, 9})), (std::vector<Range>{{4, 5}, {7, 9}}));
  EXPECT_TRUE(some.within({5, 7}).empty());
  EXPECT_TRUE(some.within({8, 8}).empty());
  EXPECT_EQ(some.within({0, 100}), some);
}

TEST(Destinations, HaveANextOne) {
  const Destinations some({3, 4, 7, 8});
  EXPECT_EQ(some.next(0), 3);
  EXPECT_EQ(some.next(4), 4);
  EXPECT_EQ(some.next(5), 7);
  EXPECT_EQ(some.next(9), 3) << "after the last comes the first";
}

TEST(Destinations, TakeFewBytesWhereTheyAreTogether) {
  const Range range{1'000, 2'000};
  std::vector<Position> all;
  for (Position position = range.begin; position < range.end; ++position) all.push_back(position);
  EXPECT_EQ(Destinations(all).encode(range).size(), 4u);
  EXPECT_EQ(Destinations({1'005}).encode(range).size(), 3u);
}

TEST(Destinations, TakeABitAPositionWhereTheyAreScattered) {
  std::vector<Position> every_other;
  for (Position position = 0; position < 1'000; position += 2) every_other.push_back(position);
  EXPECT_EQ(Destinations(every_other).encode({0, 1'000}).size(), 126u);
}

TEST(Destinations, AreReadFromWhatTheyWereWrittenTo) {
  for (const auto& positions :
       std::vector<std::vector<Position>>{{}, {10}, {19}, {10, 12, 14}, {11, 12, 13, 19}}) {
    const Destinations some(positions);
    EXPECT_EQ(Destinations::decode(some.encode({10, 20}), {10, 20}), some);
    EXPECT_EQ(Destinations::decode(some.encode({0, 1'000}), {0, 1'000}), some);
  }
}

TEST(Destinations, AreNotReadFromOtherBytes) {
  const auto is_read = [](const std::string& bytes) {
    return Destinations::decode(bytes, {10, 20}).has_value();
  };
  EXPECT_TRUE(is_read(std::string("\0\3\1", 3)));
  EXPECT_FALSE(is_read("")) << "no form";
  EXPECT_FALSE(is_read("\2")) << "a form that there is not";
  EXPECT_FALSE(is_read(std::string("\0\3", 2))) << "half a run";
  EXPECT_FALSE(is_read(std::string("\0\3\7", 3))) << "past the end";
  EXPECT_FALSE(is_read(std::string("\0\x83\0\1", 4))) << "longer than it must be";
  EXPECT_FALSE(is_read(std::string("\0\xff\xff\xff\xff\xff\1", 7))) << "a number that is too large";
  EXPECT_FALSE(is_read(std::string("\1\3", 2))) << "too few bits";
  EXPECT_FALSE(is_read(std::string("\1\1\4", 3))) << "a bit past the end";
}

}  // namespace
}  // namespace wan::multicast
