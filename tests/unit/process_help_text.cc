// SPDX-License-Identifier: BSD-3-Clause
#include "process/help_text.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace wan {
namespace {

std::optional<std::string> text_of(const char* topic, const std::vector<std::string>& values = {}) {
  std::istringstream file(
      "# a comment\n[first]\nOne %s,\n\n  two %s.\n# another\n[second topic]\nNothing [here].\n[empty]\n");
  return help_text(file, topic, values);
}

TEST(HelpText, IsThatOfItsTopic) {
  EXPECT_EQ(text_of("second topic"), "Nothing [here].\n");
  EXPECT_EQ(text_of("empty"), "");
}

TEST(HelpText, IsNoneWithoutTheTopic) {
  EXPECT_EQ(text_of("second"), std::nullopt);
  EXPECT_EQ(text_of("Nothing"), std::nullopt);
}

TEST(HelpText, HasTheValuesInTheirOrder) {
  EXPECT_EQ(text_of("first", {"a", "b", ""}), "One a,\n\n  two b.\n");
}

TEST(HelpText, TakesValuesAsTheyAre) {
  EXPECT_EQ(text_of("first", {"%s", "100 %d"}), "One %s,\n\n  two 100 %d.\n");
}

}  // namespace
}  // namespace wan
