// SPDX-License-Identifier: BSD-3-Clause
// discover/own_surroundings.h: what sources get to see of this process.
#include "discover/own_surroundings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace wan {
namespace {

TEST(OwnSurroundings, HasVariablesFilesAndHost) {
  const auto path = std::filesystem::temp_directory_path() / "own_surroundings";
  std::ofstream(path) << "text\n";
  ASSERT_EQ(setenv("OWN_SURROUNDINGS", "set", 1), 0);
  const Surroundings here = own_surroundings("tux5");
  EXPECT_EQ(here.host, "tux5");
  EXPECT_EQ(here.variable("OWN_SURROUNDINGS"), "set");
  EXPECT_EQ(here.variable("OWN_SURROUNDINGS_NOT"), "");
  EXPECT_EQ(here.text_of(path), "text\n");
  EXPECT_EQ(here.text_of(path.string() + ".not"), std::nullopt);
  EXPECT_TRUE(here.addresses.empty() && here.subnet.empty());
  std::filesystem::remove(path);
}

TEST(OwnSurroundings, HasTheAddressesOfThisHost) {
  Surroundings here = own_surroundings("tux5");
  add_own_addresses(here);
  const auto own = own_addresses();
  ASSERT_EQ(here.addresses.size(), own.size());
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(here.addresses[i], own[i].address);
  EXPECT_EQ(here.subnet, own_subnet(own));
}

}  // namespace
}  // namespace wan
