// SPDX-License-Identifier: BSD-3-Clause
// main() of the long property tests: 10,000 cases each, unless RC_PARAMS="max_success=N seed=S" says otherwise.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

int main(int count, char** arguments) {
  const char* set = std::getenv("RC_PARAMS");
  const std::string parameters = set == nullptr ? "" : set;
  if (parameters.find("max_success") == std::string::npos)
    setenv("RC_PARAMS", (parameters + " max_success=10000").c_str(), 1);
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
