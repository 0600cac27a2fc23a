// SPDX-License-Identifier: BSD-3-Clause
// What the user reads about a mistake: base/result.
#include "base/result.h"

#include <gtest/gtest.h>

namespace wan {
namespace {

TEST(InputError, NamesFileLineKeyValueAndRemedy) {
  const InputError error{"sites.toml", 12, "site.paris.uplink", "fast",
                         "expected a rate such as \"10 Gbit/s\""};
  EXPECT_EQ(error.message(),
            "sites.toml:12: site.paris.uplink = \"fast\": expected a rate such as \"10 Gbit/s\"");
}

TEST(InputError, LeavesOutTheLineWhereThereAreNoLines) {
  const InputError error{"coll_wan_site", 0, "", "a b", "a site is one word"};
  EXPECT_EQ(error.message(), "coll_wan_site: \"a b\": a site is one word");
}

TEST(InputError, LeavesOutKeyAndValueWhereThereAreNone) {
  const InputError error{"sites.toml", 0, "", "", "cannot be read"};
  EXPECT_EQ(error.message(), "sites.toml: cannot be read");
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 3;
  const Result<int> bad = tl::unexpected(InputError{"f", 1, "k", "v", "r"});
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(*good, 3);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().line, 1);
}

}  // namespace
}  // namespace wan
