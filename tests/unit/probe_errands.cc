// SPDX-License-Identifier: BSD-3-Clause
// probe/errands.h: who measures to whom.
#include "probe/errands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace wan::probe {
namespace {

std::set<std::pair<Host, Host>> pairs_of(const std::vector<Errand>& errands) {
  std::set<std::pair<Host, Host>> pairs;
  for (const Errand& each : errands) pairs.insert(std::minmax(each.from, each.to));
  return pairs;
}

TEST(Errands, GlanceAtEachPairOnce) {
  for (const int hosts : {2, 3, 5, 8, 33}) {
    const auto errands = glances(hosts);
    EXPECT_EQ(pairs_of(errands).size(), errands.size()) << hosts;
    for (const Errand& each : errands) {
      EXPECT_NE(each.from, each.to);
      EXPECT_NE(each.from, 0) << "the first host measures nothing: it waits for the others";
    }
  }
  EXPECT_TRUE(glances(1).empty());
}

TEST(Errands, GlanceFromEachHostAtTheFirst) {
  const auto pairs = pairs_of(glances(20));
  for (Host host = 1; host < 20; ++host) EXPECT_TRUE(pairs.contains({0, host})) << host;
  for (Host host = 1; host < 19; ++host) EXPECT_TRUE(pairs.contains({host, host + 1})) << host;
}

TEST(Errands, StudyEachPairOfGroupsByDifferentHosts) {
  const std::vector<int> labels{0, 0, 0, 1, 1, 1, 2, 2, 2};
  const auto errands = studies(partition_by(labels));
  ASSERT_EQ(errands.size(), 3u);
  std::multiset<Host> used;
  for (const Errand& each : errands) {
    EXPECT_NE(labels[static_cast<std::size_t>(each.from)], labels[static_cast<std::size_t>(each.to)]);
    used.insert({each.from, each.to});
  }
  for (const Host host : used) EXPECT_EQ(used.count(host), 1u) << host;
}

TEST(Errands, StudyEveryGroupThoughTheyAreMany) {
  std::vector<int> labels(500);
  std::iota(labels.begin(), labels.end(), 0);
  const auto errands = studies(partition_by(labels));
  EXPECT_LE(errands.size(), most_studies(500));
  std::set<Host> seen;
  for (const Errand& each : errands) seen.insert({each.from, each.to});
  EXPECT_EQ(seen.size(), 500u);
}

}  // namespace
}  // namespace wan::probe
