// SPDX-License-Identifier: BSD-3-Clause
// cost/spread.h and cost/direct.h against a slower solution (tests/support/slow_spread.h), on random
// networks: equal links, a few kinds of links, links of any kind, with and without caps. cost/passage.h
// against 128 bits.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "cost/direct.h"
#include "cost/passage.h"
#include "cost/spread.h"
#include "tests/support/slow_spread.h"

namespace wan {
namespace {

using Caps = std::vector<std::optional<BytesPerSecond>>;

/// Uniform over the logarithm, about.
std::int64_t any_size(std::int64_t least, std::int64_t most) {
  int doublings = 0;
  while (least < most >> (doublings + 1)) ++doublings;
  const std::int64_t lower = least << *rc::gen::resize(100, rc::gen::inRange(0, doublings + 1));
  return std::min(most, lower + *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, lower + 1)));
}

Link any_link() {
  return {any_size(1'000, 200'000'000), any_size(100'000, 10'000'000'000), 0};
}

Caps any_caps(SiteIndex sites) {
  Caps caps(static_cast<std::size_t>(sites));
  for (auto& cap : caps)
    if (*rc::gen::inRange(0, 3) == 0) cap = any_size(1'000'000, 1'000'000'000);
  return caps;
}

Network any_network() {
  const auto sites = *rc::gen::resize(100, rc::gen::inRange<SiteIndex>(3, 13));
  const auto kinds = *rc::gen::element<std::size_t>(1, 2, 3, 144);
  std::vector<Link> kind(kinds), links;
  for (Link& each : kind) each = any_link();
  for (SiteIndex i = 0; i < sites * sites; ++i)
    links.push_back(kind[*rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, kinds))]);
  const bool is_capped = *rc::gen::arbitrary<bool>();
  return {sites, links, is_capped ? any_caps(sites) : Caps(static_cast<std::size_t>(sites)),
          is_capped ? any_caps(sites) : Caps(static_cast<std::size_t>(sites))};
}

struct Problem {
  Network network = any_network();
  SiteIndex root = *rc::gen::resize(100, rc::gen::inRange<SiteIndex>(0, network.sites()));
  Bytes bytes = any_size(1, 10'000'000'000), piece = any_size(1, 1'000'000);
};

void expect_equal(const std::optional<Spread>& found, const std::optional<Spread>& expected) {
  RC_ASSERT(found.has_value() == expected.has_value());
  if (!found) return;
  RC_ASSERT(found->time_ns == expected->time_ns);
  RC_ASSERT(found->shares == expected->shares);
}

RC_GTEST_PROP(Spread, IsThatOfTheSlowSolution, ()) {
  const Problem p;
  expect_equal(spread_from_one(p.network, p.root, p.bytes, p.piece),
               slow_spread_from_one(p.network, p.root, p.bytes, p.piece));
  expect_equal(spread_to_one(p.network, p.root, p.bytes, p.piece),
               slow_spread_to_one(p.network, p.root, p.bytes, p.piece));
  expect_equal(spread_among_all(p.network, p.bytes, p.piece),
               slow_spread_among_all(p.network, p.bytes, p.piece));
}

/// All that is below a time by more than rounding is found, and nothing else is made of it.
void expect_found_below(Nanoseconds below, const std::optional<Spread>& found,
                        const std::optional<Spread>& expected) {
  if (found || (expected && expected->time_ns < below - below / 500)) expect_equal(found, expected);
}

RC_GTEST_PROP(Spread, IsFoundIfItTakesLessThanAsked, ()) {
  const Problem p;
  const Nanoseconds below =
      direct_among_all_ns(p.network, p.bytes) / 20 * *rc::gen::resize(100, rc::gen::inRange(1, 21));
  expect_found_below(below, spread_from_one(p.network, p.root, p.bytes, p.piece, below),
                     slow_spread_from_one(p.network, p.root, p.bytes, p.piece));
  expect_found_below(below, spread_to_one(p.network, p.root, p.bytes, p.piece, below),
                     slow_spread_to_one(p.network, p.root, p.bytes, p.piece));
  expect_found_below(below, spread_among_all(p.network, p.bytes, p.piece, below),
                     slow_spread_among_all(p.network, p.bytes, p.piece));
}

RC_GTEST_PROP(Direct, IsThatOfTheSlowSolution, ()) {
  const Problem p;
  RC_ASSERT(direct_from_one_ns(p.network, p.root, p.bytes) ==
            slow_direct_from_one_ns(p.network, p.root, p.bytes));
  RC_ASSERT(direct_to_one_ns(p.network, p.root, p.bytes) ==
            slow_direct_to_one_ns(p.network, p.root, p.bytes));
  RC_ASSERT(direct_among_all_ns(p.network, p.bytes) == slow_direct_among_all_ns(p.network, p.bytes));
  RC_ASSERT(direct_in_order_ns(p.network, p.bytes) == slow_direct_in_order_ns(p.network, p.bytes));
}

TEST(Passage, RoundsItsTimeUp) {
  EXPECT_EQ(time_of(1000, 1'000'000), kMillisecond);
  EXPECT_EQ(time_of(1, 3), 333'333'334);
  EXPECT_EQ(time_of(0, 5), 0);
}

RC_GTEST_PROP(Passage, IsExact, ()) {
  const auto rate = any_size(1, 1'000'000'000'000), time = any_size(1, 1'000'000'000'000'000'000);
  RC_ASSERT(passed(rate, time) ==
            static_cast<Bytes>(std::min<Wide>(Wide{rate} * time / 1'000'000'000, kUnlimited)));
  RC_ASSERT(passed(rate, -time) == 0);
  const auto bytes = any_size(1, 1'000'000'000'000), usual_rate = any_size(1'000, 1'000'000'000'000);
  RC_ASSERT(time_of(bytes, usual_rate) ==
            static_cast<Nanoseconds>((Wide{bytes} * 1'000'000'000 + usual_rate - 1) / usual_rate));
}

}  // namespace
}  // namespace wan
