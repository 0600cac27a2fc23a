// SPDX-License-Identifier: BSD-3-Clause
// Every collective x random topology x root x layout x sizes x operator x MPI_IN_PLACE, planned on all ranks:
// correct, and wide-area optimal (tests/support/promise.h). 10,000 cases each; RC_PARAMS="max_success=100000
// seed=7" sets the number of cases and the seed, --gtest_filter='*/bcast' the collective.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "tests/support/promise.h"
#include "tests/support/property_main.h"
#include "tests/support/random_call.h"

namespace wan {

const int kCases = 10'000;

namespace {

void keeps_its_promises(Collective collective) {
  RandomCall random = random_call(collective, 1, 40);
  if (pick(0, 3) == 0) make_long(random);
  const auto broken = broken_promises(schedule_of(random), random.call, random.topology(), random.tuning);
  if (broken.empty()) return;
  std::ostringstream text;
  text << random;
  for (const auto& promise : broken) text << promise << '\n';
  RC_FAIL(text.str());
}

class Schedules : public testing::TestWithParam<CollectiveTraits> {};

TEST_P(Schedules, AreCorrectAndWideAreaOptimal) {
  EXPECT_TRUE(rc::check(std::string(GetParam().name), [] { keeps_its_promises(GetParam().collective); }));
}

INSTANTIATE_TEST_SUITE_P(Every, Schedules,
                         testing::ValuesIn(all_collectives().begin(), all_collectives().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace wan
