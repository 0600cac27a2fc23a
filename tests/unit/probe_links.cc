// SPDX-License-Identifier: BSD-3-Clause
// probe/links.h: the matrix of links.
#include "probe/links.h"

#include <gtest/gtest.h>

#include "base/time.h"

namespace wan::probe {
namespace {

constexpr Train kFast{40'000, 4 * kMillisecond}, kSlow{40'000, 40 * kMillisecond};

TEST(Links, HaveHalfOfTheLeastRoundTripAndTheRateOfTheirDirection) {
  const std::vector<Finding> findings{{0, 2, {30 * kMillisecond, 24 * kMillisecond}, {kFast}, {kSlow}},
                                      {3, 1, {22 * kMillisecond}, {}, {}}};
  const auto links = links_between(partition_by(std::vector<int>{0, 0, 1, 1}), findings);
  ASSERT_TRUE(links.at(0, 1) && links.at(1, 0));
  EXPECT_NEAR(static_cast<double>(links.at(0, 1)->latency_ns), 11e6, 1e5);
  EXPECT_EQ(links.at(0, 1)->bandwidth_bytes_per_s, 10'000'000);
  EXPECT_EQ(links.at(1, 0)->bandwidth_bytes_per_s, 1'000'000);
}

TEST(Links, LeaveOutTheTimeThatAPingTakesToPassASlowLink) {
  const Train at_125_kB{1'250, 10 * kMillisecond};
  const std::vector<Finding> findings{{0, 1, {2 * kMillisecond + 960'000}, {at_125_kB}, {at_125_kB}}};
  EXPECT_EQ(links_between(partition_by(std::vector<int>{0, 1}), findings).at(0, 1)->latency_ns, kMillisecond);
}

TEST(Links, AreEstimatedByWayOfOtherGroups) {
  const std::vector<Finding> findings{{1, 0, {20 * kMillisecond}, {kFast}, {kFast}},
                                      {2, 0, {30 * kMillisecond}, {kSlow}, {kFast}}};
  const auto links = links_between(partition_by(std::vector<int>{0, 1, 2}), findings);
  ASSERT_TRUE(links.at(1, 2));
  EXPECT_NEAR(static_cast<double>(links.at(1, 2)->latency_ns), 25e6, 1e5);
  EXPECT_EQ(links.at(1, 2)->bandwidth_bytes_per_s, 10'000'000);
  EXPECT_EQ(links.at(2, 1)->bandwidth_bytes_per_s, 1'000'000);
}

TEST(Links, AreNoneToAGroupThatNobodyReached) {
  const std::vector<Finding> findings{{1, 0, {20 * kMillisecond}, {}, {}}, {2, 0, {}, {}, {}}};
  const auto links = links_between(partition_by(std::vector<int>{0, 1, 2}), findings);
  EXPECT_TRUE(links.at(0, 1));
  EXPECT_FALSE(links.at(0, 2));
  EXPECT_FALSE(links.at(2, 1));
}

}  // namespace
}  // namespace wan::probe
