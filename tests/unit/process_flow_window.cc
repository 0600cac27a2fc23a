// SPDX-License-Identifier: BSD-3-Clause
// process/flow_window.h: the window that follows from a host's limits.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "process/flow_window.h"

namespace wan {
namespace {

TEST(FlowWindow, IsHalfOfTheSmallerBuffer) {
  EXPECT_EQ(flow_window({0, {}, 4'194'304}, {0, {}, 6'291'456}), 2'097'152);
  EXPECT_EQ(flow_window({0, {}, 4'194'304}, {0, {}, 131'072}), 65'536);
}

TEST(FlowWindow, IsWhatIsRequestedUpToTheCeiling) {
  EXPECT_EQ(flow_window({8'000'000, {}, 100}, {9'000'000, {}, 100}), 8'000'000);
  EXPECT_EQ(flow_window({8'000'000, 212'992, 100}, {9'000'000, 300'000, 100}), 212'992);
  EXPECT_EQ(flow_window({0, 212'992, 6'000'000}, {5'000'000, {}, {}}), 3'000'000);
}

TEST(FlowWindow, IsNotKnownWhereNothingIs) {
  EXPECT_EQ(flow_window({}, {}), 0);
  EXPECT_EQ(flow_window({0, 1'000, {}}, {0, {}, 2'000}), 1'000);
}

TEST(FlowWindow, EightPacketsAfterAPause) {
  EXPECT_EQ(idle_window(1, 1'500), 11'584);
  EXPECT_EQ(idle_window(1, 9'000), 71'584);
  EXPECT_EQ(idle_window(0, 1'500), 0) << "windows stay as they are";
  EXPECT_EQ(idle_window(std::nullopt, 1'500), 0);
  EXPECT_EQ(idle_window(1, std::nullopt), 0);
}

TEST(FlowWindow, ReadsTheLastNumber) {
  const std::string path = testing::TempDir() + "wan_flow_window_test";
  std::ofstream(path) << "4096\t131072\t6291456\n";
  EXPECT_EQ(last_number(path), 6'291'456);
  std::ofstream(path) << "212992\n";
  EXPECT_EQ(last_number(path), 212'992);
  std::filesystem::remove(path);
  EXPECT_EQ(last_number(path), std::nullopt);
}

}  // namespace
}  // namespace wan
