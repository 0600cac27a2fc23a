// SPDX-License-Identifier: BSD-3-Clause
// What the texts of info values mean.
#include <gtest/gtest.h>

#include "process/info_value.h"

namespace wan {
namespace {

TEST(InfoValue, ALoadIsAWholeNumberThatIsNotNegative) {
  EXPECT_EQ(load_named("0"), 0);
  EXPECT_EQ(load_named("9223372036854775807"), 9223372036854775807);
  for (const char* text : {"", "9223372036854775808", "-1", "+1", " 1", "1 ", "7 s", "0.5", "many"})
    EXPECT_EQ(load_named(text), std::nullopt) << text;
}

TEST(InfoValue, ATruthIsAWordOrADigit) {
  EXPECT_EQ(truth_named("true"), true);
  EXPECT_EQ(truth_named("1"), true);
  EXPECT_EQ(truth_named("false"), false);
  EXPECT_EQ(truth_named("0"), false);
  for (const char* text : {"", "True", "yes", "2", "01", "true "})
    EXPECT_EQ(truth_named(text), std::nullopt) << text;
}

}  // namespace
}  // namespace wan
