// SPDX-License-Identifier: BSD-3-Clause
// multicast/strided_map.h: numbers in little memory.
#include "multicast/strided_map.h"

#include <gtest/gtest.h>

#include <vector>

namespace wan::multicast {
namespace {

void expect_same(const std::vector<std::int32_t>& values, std::size_t most_runs) {
  const StridedMap map(values);
  ASSERT_EQ(map.size(), static_cast<std::int32_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(map.at(static_cast<std::int32_t>(i)), values[i]) << "at " << i;
  EXPECT_LE(map.bytes(), sizeof map + 12 * most_runs);
}

TEST(StridedMap, KeepsAnyNumbers) {
  expect_same({}, 0);
  expect_same({7}, 1);
  expect_same({3, 1, 4, 1, 5, 9, 2, 6}, 8);
  expect_same({5, 5, 5, 6}, 2);
}

TEST(StridedMap, KeepsRanksPlacedHostByHostAsOneRun) {
  std::vector<std::int32_t> values(1'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  expect_same(values, 1);
}

TEST(StridedMap, KeepsRanksDealtOutInTurnAsARunATurn) {
  std::vector<std::int32_t> values;
  for (std::int32_t turn = 0; turn < 8; ++turn)
    for (std::int32_t host = 0; host < 125; ++host) values.push_back(host * 8 + turn);
  expect_same(values, 8);
}

TEST(StridedMapDeathTest, KnowsItsEnd) {
  const StridedMap map(std::vector<std::int32_t>{1, 2, 3});
  EXPECT_DEATH(map.at(3), "outside the map");
  EXPECT_DEATH(map.at(-1), "outside the map");
}

}  // namespace
}  // namespace wan::multicast
