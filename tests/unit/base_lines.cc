// SPDX-License-Identifier: BSD-3-Clause
// base/lines.h
#include <gtest/gtest.h>

#include "base/lines.h"

namespace wan {
namespace {

TEST(Lines, AreTakenOneByOne) {
  std::string_view text = "one\n\nthree";
  EXPECT_EQ(take_line(text), "one");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(text, "three");
  EXPECT_EQ(take_line(text), "three");
  EXPECT_EQ(text, "");
  EXPECT_EQ(take_line(text), "") << "of nothing";
}

TEST(Lines, TheLastOneMayEnd) {
  std::string_view text = "one\n";
  EXPECT_EQ(take_line(text), "one");
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace wan
