// SPDX-License-Identifier: BSD-3-Clause
// The plan cache makes each plan once, stays within its capacity, and does not take a plan away from a
// running call.
#include <gtest/gtest.h>

#include "mca/plan_cache.h"
#include "plan/builder.h"

namespace wan {
namespace {

/// Counts how often a plan with `length` units of scratch is made.
class Maker {
 public:
  std::shared_ptr<const Program> get(PlanCache& cache, Count length) {
    return cache.get({length}, [&] {
      ++made;
      Builder builder(Unit::bytes, 0, 1, {});
      builder.scratch(length);
      return std::move(builder).finish();
    });
  }
  int made = 0;
};

TEST(PlanCache, MakesEachPlanOnce) {
  PlanCache cache(4);
  Maker maker;
  auto first = maker.get(cache, 7);
  EXPECT_EQ(maker.get(cache, 7), first);
  EXPECT_EQ(first->lengths().scratch, 7);
  EXPECT_EQ(maker.get(cache, 8)->lengths().scratch, 8);
  EXPECT_EQ(maker.made, 2);
}

TEST(PlanCache, ForgetsTheOldest) {
  PlanCache cache(2);
  Maker maker;
  for (Count length : {1, 2, 3}) maker.get(cache, length);
  maker.get(cache, 3);
  maker.get(cache, 2);
  EXPECT_EQ(maker.made, 3);
  maker.get(cache, 1);
  EXPECT_EQ(maker.made, 4);
}

TEST(PlanCache, AForgottenPlanLivesAsLongAsItsCall) {
  PlanCache cache(1);
  Maker maker;
  std::weak_ptr<const Program> watched;
  {
    auto running = maker.get(cache, 5);
    watched = running;
    maker.get(cache, 6);
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(running->lengths().scratch, 5);
  }
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace wan
