// SPDX-License-Identifier: BSD-3-Clause
// Which values the parameters take, and what the mistake says of others.
#include <gtest/gtest.h>

#include <functional>

#include "process/parameters.h"

namespace wan {
namespace {

/// What is wrong with the defaults after the change; "" if nothing is.
std::string mistake_after(const std::function<void(Parameters&)>& change) {
  Parameters values;
  change(values);
  const auto mistake = mistake_in(values);
  return mistake ? mistake->message() : "";
}

TEST(Parameters, DefaultsAreRight) {
  EXPECT_EQ(mistake_in(Parameters{}), std::nullopt);
}

TEST(Parameters, NumbersReachFromTheLowestToTheHighest) {
  EXPECT_EQ(mistake_after([](Parameters& values) { values.radix = 2; }), "");
  EXPECT_EQ(mistake_after([](Parameters& values) { values.radix = 64; }), "");
  EXPECT_EQ(mistake_after([](Parameters& values) { values.radix = 1; }),
            "coll_wan_radix: \"1\": expected a number from 2 to 64");
  EXPECT_EQ(mistake_after([](Parameters& values) { values.radix = 65; }),
            "coll_wan_radix: \"65\": expected a number from 2 to 64");
}

TEST(Parameters, ChoicesAreWholeWords) {
  EXPECT_EQ(mistake_after([](Parameters& values) { values.preconnect = "all"; }), "");
  for (const char* wrong : {"coord", "none, all", ", ", "All"})
    EXPECT_EQ(
        mistake_after([wrong](Parameters& values) { values.preconnect = wrong; }),
        "coll_wan_preconnect: \"" + std::string(wrong) + "\": expected one of auto, none, coordinators, all");
  EXPECT_EQ(mistake_after([](Parameters& values) { values.preconnect = ""; }),
            "coll_wan_preconnect: expected one of auto, none, coordinators, all");
}

TEST(Parameters, AlgorithmsAreThoseThatThereAre) {
  EXPECT_EQ(mistake_after([](Parameters& values) { values.algorithms = "bcast:tree"; }), "");
  EXPECT_EQ(mistake_after([](Parameters& values) {
              values.algorithms = "bcast:tree,reduce:oak";
            }).find("coll_wan_algorithms: \"reduce:oak\": reduce takes one of"),
            0u);
}

TEST(Parameters, SourcesOfSitesAreThoseThatThereAre) {
  EXPECT_EQ(mistake_after([](Parameters& values) { values.discover = "label,subnet"; }), "");
  EXPECT_EQ(mistake_after([](Parameters& values) {
              values.discover = "label,oracle";
            }).find("coll_wan_discover: \"oracle\": is no source of sites"),
            0u);
}

TEST(Parameters, TheFirstMistakeIsNamed) {
  EXPECT_EQ(mistake_after([](Parameters& values) { values.verbose = 3, values.priority = -1; }),
            "coll_wan_priority: \"-1\": expected a number from 0 to 100");
}

}  // namespace
}  // namespace wan
