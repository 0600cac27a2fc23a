// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/property_main.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

int main(int count, char** arguments) {
  const char* set = std::getenv("RC_PARAMS");
  const std::string parameters = set == nullptr ? "" : set;
  if (parameters.find("max_success") == std::string::npos)
    setenv("RC_PARAMS", (parameters + " max_success=" + std::to_string(wan::kCases)).c_str(), 1);
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
