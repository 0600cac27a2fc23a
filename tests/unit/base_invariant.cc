// SPDX-License-Identifier: BSD-3-Clause
// A broken invariant ends the process and says where: base/invariant.
#include "base/invariant.h"

#include <gtest/gtest.h>

#include <csignal>

namespace wan {
namespace {

TEST(Invariant, LetsWhatHoldsPass) {
  invariant(2 + 2 == 4, "arithmetic");
}

TEST(InvariantDeathTest, AbortsAndNamesWhatAndWhere) {
  EXPECT_EXIT(invariant(2 + 2 == 5, "the sum is five"), testing::KilledBySignal(SIGABRT),
              "coll_wan: internal error: the sum is five \\(.*base_invariant.cc:[0-9]+");
}

}  // namespace
}  // namespace wan
