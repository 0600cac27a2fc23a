// SPDX-License-Identifier: BSD-3-Clause
// What is suggested for a misspelt word: base/nearest.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <vector>

#include "base/nearest.h"

namespace wan {
namespace {

constexpr std::array<std::string_view, 3> kKeys{"hosts", "uplink", "downlink"};

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("hosts", "hosts"), 0u);
  EXPECT_EQ(edit_distance("host", "hosts"), 1u);
  EXPECT_EQ(edit_distance("hossts", "hosts"), 1u);
  EXPECT_EQ(edit_distance("hasts", "hosts"), 1u);
  EXPECT_EQ(edit_distance("hsots", "hosts"), 1u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, NamesTheMeantWordOnlyIfItIsNear) {
  EXPECT_EQ(nearest("uplnik", kKeys), "uplink");
  EXPECT_EQ(nearest("downlin", kKeys), "downlink");
  EXPECT_EQ(nearest("latency", kKeys), std::nullopt);
  EXPECT_EQ(nearest("hosts", {}), std::nullopt);
}

TEST(Suggestion, AsksOrLists) {
  EXPECT_EQ(suggestion("host", kKeys), "did you mean \"hosts\"?");
  EXPECT_EQ(suggestion("latency", kKeys), "use hosts, uplink or downlink");
  EXPECT_EQ(suggestion("latency", std::span(kKeys).first(1)), "use hosts");
}

TEST(Suggestion, ListsAtMostTwelve) {
  const std::vector<std::string_view> many(100, "word");
  EXPECT_EQ(suggestion("latency", many).size(), std::string("use ").size() + 12 * 4 + 10 * 2 + 4);
}

RC_GTEST_PROP(EditDistanceProperty, IsSymmetricAndZeroOnlyForEqualWords, (std::string a, std::string b)) {
  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT((edit_distance(a, b) == 0) == (a == b));
  RC_ASSERT(edit_distance(a, b) <= std::max(a.size(), b.size()));
}

RC_GTEST_PROP(EditDistanceProperty, OneInsertionIsOne, (std::string word, char letter)) {
  const auto at = *rc::gen::inRange<std::size_t>(0, word.size() + 1);
  RC_ASSERT(edit_distance(word, std::string(word).insert(at, 1, letter)) == 1u);
}

}  // namespace
}  // namespace wan
