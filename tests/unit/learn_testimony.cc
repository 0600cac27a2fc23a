// SPDX-License-Identifier: BSD-3-Clause
// learn/testimony.h
#include <gtest/gtest.h>

#include <random>

#include "base/time.h"
#include "learn/testimony.h"

namespace wan {
namespace {

constexpr Link kStated{10 * kMillisecond, 10'000'000, 0};

Network two_sites(Link link = kStated) {
  return {2, link};
}

/// What a process of site 0 says of the link to site 1.
Testimony of_link(Findings findings) {
  return testimony_of(0, std::vector<Findings>{{}, findings});
}

Link corrected_link(const Testimony& testimony, Link stated = kStated) {
  const auto network = corrected(two_sites(stated), two_sites(stated), testimony);
  return network ? network->link(0, 1) : stated;
}

void expect_near(std::int64_t found, std::int64_t wanted, std::int64_t part = 50) {
  EXPECT_LE(std::abs(found - wanted), wanted / part) << found << " instead of " << wanted;
}

TEST(Testimony, WhoKnowsNothingChangesNothing) {
  EXPECT_FALSE(corrected(two_sites(), two_sites(), of_link({})));
  const Testimony known = of_link({3'000'000, 1'000'000, kMillisecond});
  EXPECT_EQ(together(known, of_link({})), known);
}

TEST(Testimony, AFullLinkHasTheRateThatProcessesSawOnAverage) {
  expect_near(corrected_link(of_link({.full = 2'000'000})).bandwidth_bytes_per_s, 2'000'000);
  const Testimony both = together(of_link({.full = 2'000'000}), of_link({.full = 8'000'000}));
  expect_near(corrected_link(both).bandwidth_bytes_per_s, 4'000'000);
  expect_near(corrected_link(of_link({.full = 90'000'000})).bandwidth_bytes_per_s, 90'000'000);
}

TEST(Testimony, ALinkIsNoSlowerThanWhatWentOverIt) {
  expect_near(corrected_link(of_link({.demonstrated = 40'000'000})).bandwidth_bytes_per_s, 40'000'000);
  expect_near(corrected_link(of_link({.full = 2'000'000, .demonstrated = 50'000'000})).bandwidth_bytes_per_s,
              50'000'000);
  EXPECT_EQ(corrected_link(of_link({.full = 2'000'000, .demonstrated = 5'000'000})), kStated)
      << "of the full link nothing is known any more";
  expect_near(
      corrected_link(of_link({.full = 2'000'000, .demonstrated_together = 5'000'000})).bandwidth_bytes_per_s,
      2'000'000);
  expect_near(corrected_link(of_link({.full = 2'000'000, .demonstrated = 3'900'000})).bandwidth_bytes_per_s,
              2'000'000);
  EXPECT_EQ(corrected_link(of_link({.demonstrated = 40'000})), kStated) << "little was sent";
}

TEST(Testimony, LinksThatAreOffByAboutTheSameShareAFactorAndOthersTakeIt) {
  // From site 0: to 1 a third of what is stated, to 2 a quarter, to 3 a twentieth.
  const Network stated(4, kStated);
  const Testimony testimony = testimony_of(0, std::vector<Findings>{{}, {3'300'000}, {2'500'000}, {500'000}});
  const Network found = corrected(stated, stated, testimony).value_or(stated);
  expect_near(found.link(0, 1).bandwidth_bytes_per_s, 3'300'000);
  EXPECT_EQ(found.link(0, 2), found.link(0, 1));
  expect_near(found.link(0, 3).bandwidth_bytes_per_s, 500'000);
  expect_near(found.link(1, 0).bandwidth_bytes_per_s, 3'300'000);  // of which nobody says anything
}

TEST(Testimony, WhoIsNearTheMiddleOfThoseThatShareAFactorSharesIt) {
  const Network stated(5, kStated);
  const Testimony testimony =
      testimony_of(0, std::vector<Findings>{{}, {1'000'000}, {900'000}, {800'000}, {480'000}});
  const Network found = corrected(stated, stated, testimony).value_or(stated);
  expect_near(found.link(0, 4).bandwidth_bytes_per_s, 900'000);  // less than half of the best
}

TEST(Testimony, WhatIsBetterThanWasStatedIsTakenForAsGoodAsAnother) {
  const Network stated(4, kStated);
  const Testimony testimony = testimony_of(
      0, std::vector<Findings>{
             {}, {.demonstrated = 90'000'000}, {.demonstrated = 30'000'000}, {.demonstrated = 9'000'000}});
  const Network found = corrected(stated, stated, testimony).value_or(stated);
  expect_near(found.link(0, 1).bandwidth_bytes_per_s, 90'000'000);
  EXPECT_EQ(found.link(0, 2), found.link(0, 1));
  EXPECT_EQ(found.link(0, 3), kStated);
}

TEST(Testimony, WhatIsOffByLessThanItsFactorStaysAsItIs) {
  EXPECT_FALSE(corrected(two_sites(), two_sites(), of_link({.full = 5'200'000})));
  EXPECT_TRUE(corrected(two_sites(), two_sites(), of_link({.full = 4'800'000})));
  EXPECT_FALSE(corrected(two_sites(), two_sites(), of_link({.demonstrated = 19'900'000})));
  EXPECT_TRUE(corrected(two_sites(), two_sites(), of_link({.demonstrated = 21'000'000})));
  EXPECT_FALSE(corrected(two_sites(), two_sites(), of_link({.round_trip = 29 * kMillisecond})));
  EXPECT_TRUE(corrected(two_sites(), two_sites(), of_link({.round_trip = 31 * kMillisecond})));
  EXPECT_FALSE(corrected(two_sites(), two_sites(), of_link({.round_trip = 14 * kMillisecond})));
  EXPECT_TRUE(corrected(two_sites(), two_sites(), of_link({.round_trip = 13 * kMillisecond})));
}

TEST(Testimony, WhatIsHeldStaysWhereItIsNearEnoughAndReturns) {
  const Testimony slow = of_link({.full = 2'000'000});
  const auto held = corrected(two_sites(), two_sites(), slow);
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->is_estimated());
  EXPECT_FALSE(corrected(two_sites(), *held, slow));
  EXPECT_FALSE(corrected(two_sites(), *held, of_link({.full = 2'200'000})));
  const auto refined = corrected(two_sites(), *held, of_link({.full = 2'500'000}));
  ASSERT_TRUE(refined) << "a rate that has been corrected is corrected once more";
  expect_near(refined->link(0, 1).bandwidth_bytes_per_s, 2'500'000);
  const auto returned = corrected(two_sites(), *held, of_link({}));
  ASSERT_TRUE(returned) << "of which nobody knows anything any more";
  EXPECT_EQ(returned->link(0, 1), kStated);
}

TEST(Testimony, WhatIsNearWhatWasStatedIsAsStatedAgain) {
  const Network held = two_sites({kStated.latency_ns, kStated.bandwidth_bytes_per_s / 5, 0});
  for (const BytesPerSecond full : {6'000'000, 9'000'000, 19'000'000}) {
    const auto network = corrected(two_sites(), held, of_link({.full = full}));
    ASSERT_TRUE(network) << full;
    EXPECT_EQ(network->link(0, 1), kStated) << full;
  }
  EXPECT_NE(corrected(two_sites(), held, of_link({.full = 30'000'000})).value().link(0, 1), kStated);
}

TEST(Testimony, ARoundTripIsSharedByTheDirectionsAsBefore) {
  std::vector<Link> links{
      kStated, {9 * kMillisecond, 10'000'000, 0}, {3 * kMillisecond, 10'000'000, 0}, kStated};
  const Network stated(2, links, {{}, {}}, {{}, {}});
  const auto found = corrected(stated, stated, of_link({.round_trip = 40 * kMillisecond}));
  ASSERT_TRUE(found);
  expect_near(found->link(0, 1).latency_ns, 30 * kMillisecond);
  expect_near(found->link(1, 0).latency_ns, 10 * kMillisecond);
}

TEST(Testimony, OfTheTwoDirectionsTheLessDelayedRoundTripCounts) {
  const Testimony there = of_link({.round_trip = 90 * kMillisecond}),
                  back = testimony_of(1, std::vector<Findings>{{.round_trip = 60 * kMillisecond}, {}});
  expect_near(corrected_link(together(there, back)).latency_ns, 30 * kMillisecond);
}

TEST(Testimony, AnAccessLinkIsCorrectedWhereItIsStated) {
  const Testimony of_uplink = testimony_of(0, std::vector<Findings>{{.full = 3'000'000}, {}});
  EXPECT_FALSE(corrected(two_sites(), two_sites(), of_uplink));
  const Network capped(2, std::vector<Link>(4, kStated), {20'000'000, {}}, {{}, 7'000'000});
  const auto found = corrected(capped, capped, of_uplink);
  ASSERT_TRUE(found);
  expect_near(*found->uplink(0), 3'000'000);
  EXPECT_EQ(found->uplink(1), std::nullopt);
  EXPECT_EQ(found->downlink(1), 7'000'000);
}

TEST(Testimony, WhoIsAboutToTryALinkSaysSo) {
  EXPECT_TRUE(trials_of(2, of_link({.full = 2'000'000})).empty());
  const auto trials = trials_of(2, together(of_link({.trial = 70'000}), of_link({})));
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].from, 0);
  EXPECT_EQ(trials[0].to, 1);
  expect_near(trials[0].bytes, 70'000);
}

TEST(Testimony, ALinkOrAnAccessLinkMayBeSlowerThanStated) {
  const Network stated(2, std::vector<Link>(4, kStated), {20'000'000, {}}, {{}, {}});
  const auto with = [&](BytesPerSecond there, BytesPerSecond up) {
    return Network(2, {kStated, {kStated.latency_ns, there, 0}, kStated, kStated}, {up, {}}, {{}, {}});
  };
  EXPECT_FALSE(has_slow_link(stated, with(6'000'000, 11'000'000)));
  EXPECT_TRUE(has_slow_link(stated, with(4'000'000, 20'000'000)));
  EXPECT_TRUE(has_slow_link(stated, with(10'000'000, 9'000'000)));
}

TEST(Testimony, ALinkIsSurelyBetterThatIsAsStatedAgainOrHasALowerLatency) {
  const Network stated = two_sites();
  const Network slow = two_sites({kStated.latency_ns, kStated.bandwidth_bytes_per_s / 10, 0}),
                quick = two_sites({kStated.latency_ns, kStated.bandwidth_bytes_per_s * 10, 0}),
                near = two_sites({kStated.latency_ns / 2, kStated.bandwidth_bytes_per_s, 0});
  EXPECT_EQ(surely_better(stated, slow, stated).value().link(0, 1), kStated);
  EXPECT_EQ(surely_better(stated, slow, slow), std::nullopt);
  EXPECT_EQ(surely_better(stated, stated, slow), std::nullopt);
  EXPECT_EQ(surely_better(stated, stated, quick), std::nullopt) << "by what was demonstrated together";
  EXPECT_EQ(surely_better(stated, stated, near).value().link(0, 1), near.link(0, 1));
  EXPECT_EQ(surely_better(stated, near, stated), std::nullopt);
}

TEST(Testimony, OfSeveralLinksOnlyThoseThatAreSurelyBetterAreTaken) {
  const Link slow{kStated.latency_ns, kStated.bandwidth_bytes_per_s / 10, 0};
  const Network stated(2, std::vector<Link>(4, kStated), {20'000'000, 20'000'000}, {{}, {}}),
      held(2, {kStated, slow, kStated, kStated}, {2'000'000, 20'000'000}, {{}, {}}),
      then(2, {kStated, kStated, slow, kStated}, {19'000'000, 2'000'000}, {{}, {}});
  const Network better = surely_better(stated, held, then).value();
  EXPECT_EQ(better.link(0, 1), kStated);
  EXPECT_EQ(better.link(1, 0), kStated) << "slower than held";
  EXPECT_EQ(better.uplink(0), 19'000'000);
  EXPECT_EQ(better.uplink(1), 20'000'000) << "slower than held";
}

TEST(Testimony, WhereAllLinksAreSlowOneIsSurelyBetterThatIsAsTheOthers) {
  const auto links = [](BytesPerSecond one, BytesPerSecond others) {
    std::vector<Link> all(9, {kStated.latency_ns, others, 0});
    all[1].bandwidth_bytes_per_s = one;
    return Network(3, all, {{}, {}, {}}, {{}, {}, {}});
  };
  const Network stated(3, kStated);
  const BytesPerSecond tenth = kStated.bandwidth_bytes_per_s / 10, less = tenth * 4 / 10;
  const auto rate = [&](BytesPerSecond from_now_on) {
    const auto better = surely_better(stated, links(less, tenth), links(from_now_on, tenth));
    return better ? better->link(0, 1).bandwidth_bytes_per_s : 0;
  };
  EXPECT_EQ(rate(tenth), tenth);
  EXPECT_EQ(rate(3 * tenth), tenth) << "what more it may have is not sure";
  EXPECT_EQ(rate(less), 0);
  EXPECT_EQ(rate(less + 1'000), 0);
}

TEST(Testimony, ALinkIsSlowAsAllAreOrMoreThanSome) {
  const auto links = [](BytesPerSecond one, BytesPerSecond others, BytesPerSecond up) {
    std::vector<Link> all(9, {kStated.latency_ns, others, 0});
    all[1].bandwidth_bytes_per_s = one;
    return Network(3, all, {10'000'000, up, {}}, {{}, {}, {}});
  };
  const BytesPerSecond stated_rate = kStated.bandwidth_bytes_per_s, tenth = stated_rate / 10;
  const Network stated = links(stated_rate, stated_rate, 10'000'000);
  const auto slowdown = [&](const Network& held, SiteIndex from, SiteIndex to) {
    return slowdown_of(stated, held, from, to);
  };
  EXPECT_EQ(slowdown(links(stated_rate * 6 / 10, stated_rate, 10'000'000), 0, 1), Slowdown::none);
  EXPECT_EQ(slowdown(links(tenth, stated_rate, 10'000'000), 0, 1), Slowdown::more_than_some);
  EXPECT_EQ(slowdown(links(tenth, stated_rate, 10'000'000), 1, 0), Slowdown::none);
  EXPECT_EQ(slowdown(links(tenth, tenth, 10'000'000), 0, 1), Slowdown::of_all);
  EXPECT_EQ(slowdown(links(tenth * 4 / 10, tenth, 10'000'000), 0, 1), Slowdown::more_than_some);
  EXPECT_EQ(slowdown(links(tenth * 4 / 10, tenth, 10'000'000), 1, 0), Slowdown::of_all);
  EXPECT_EQ(slowdown(links(tenth, tenth, 1'000'000), 1, 1), Slowdown::more_than_some);
  EXPECT_EQ(slowdown(links(tenth, tenth, 10'000'000), 1, 1), Slowdown::none);
}

TEST(Testimony, WhileSomeLinksAreAsStatedNothingIsAssumedOfOthers) {
  const Network stated(4, kStated);
  const Testimony testimony =
      testimony_of(0, std::vector<Findings>{{}, {.full = 1'000'000}, {.demonstrated = 6'000'000}, {}});
  const Network found = corrected(stated, stated, testimony).value_or(stated);
  expect_near(found.link(0, 1).bandwidth_bytes_per_s, 1'000'000);
  EXPECT_EQ(found.link(0, 2), kStated);
  EXPECT_EQ(found.link(0, 3), kStated);
  EXPECT_EQ(found.link(2, 3), kStated);
}

TEST(Testimony, NumbersKeepTheirOrderAndSevenDigits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (2 + random() % 60));
    if (value < 4) continue;
    const BytesPerSecond found =
        corrected_link(of_link({.demonstrated = value}), {kMillisecond, 1, 0}).bandwidth_bytes_per_s;
    EXPECT_LE(found, value);
    EXPECT_GE(found, value - value / 64);
    EXPECT_EQ(together(of_link({.demonstrated = value}), of_link({.demonstrated = value / 2})),
              of_link({.demonstrated = value}));
    EXPECT_EQ(together(of_link({.full = value}), of_link({.full = value / 2}))[6],
              of_link({.full = value / 2})[6])
        << "the least";
  }
}

TEST(Testimony, RandomOnesGiveUsableNetworks) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    Testimony all = of_link({});
    for (int process = 0; process < 5; ++process) {
      const auto number = [&] { return static_cast<std::int64_t>(random() >> (12 + random() % 50)); };
      all = together(all,
                     testimony_of(static_cast<SiteIndex>(random() % 2),
                                  std::vector<Findings>{{number(), number(), number(), number(), number()},
                                                        {number(), number(), number(), number(), number()}}));
    }
    const auto network = corrected(two_sites(), two_sites(), all);
    if (!network) continue;
    EXPECT_GT(network->link(0, 1).bandwidth_bytes_per_s, 0);
    EXPECT_FALSE(corrected(two_sites(), *network, all)) << "once is enough";
  }
}

}  // namespace
}  // namespace wan
