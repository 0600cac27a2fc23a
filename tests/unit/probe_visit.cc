// SPDX-License-Identifier: BSD-3-Clause
// probe/visit.h: what a host sends on an errand.
#include "probe/visit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/time.h"

namespace wan::probe {
namespace {

using Act = Visit::Act;

/// Lets time pass until there is something to send, or it is over.
Visit::Action next_act(Visit& visit, Nanoseconds& now) {
  for (;;) {
    const auto action = visit.next(now);
    if (action.act != Act::wait) return action;
    now = std::max(now + 1, action.until_ns);
  }
}

TEST(Visit, EndsAtItsDeadlineWhereNobodyAnswers) {
  Visit visit({0, 1, Depth::glance, 0}, 700 * kMillisecond);
  const auto action = visit.next(0);
  EXPECT_EQ(action.act, Act::wait);
  EXPECT_EQ(action.until_ns, 700 * kMillisecond);
  EXPECT_EQ(visit.next(700 * kMillisecond).act, Act::finish);
  EXPECT_TRUE(visit.finding().round_trips.empty());
}

TEST(Visit, GlancesByAFewPings) {
  Visit visit({0, 1, Depth::glance, 0}, 700 * kMillisecond);
  visit.connected(kMillisecond, kMillisecond);
  Nanoseconds now = kMillisecond;
  int pings = 0;
  while (next_act(visit, now).act == Act::ping) {
    ++pings;
    visit.answered(kMillisecond + pings);
  }
  EXPECT_EQ(pings, 5);
  EXPECT_EQ(visit.finding().round_trips.size(), 6u);
}

TEST(Visit, TakesTheConnectionForTheGlanceWhereItIsLong) {
  Visit visit({0, 1, Depth::glance, 0}, 700 * kMillisecond);
  visit.connected(300 * kMillisecond, 300 * kMillisecond);
  EXPECT_EQ(visit.next(300 * kMillisecond).act, Act::finish);
  EXPECT_EQ(visit.finding().round_trips, std::vector<Nanoseconds>{300 * kMillisecond});
}

/// The trains that a visit sends over a link that passes a byte in `byte_ns`, by size.
std::vector<Bytes> trains_sent(Nanoseconds byte_ns, Nanoseconds round_trip, Nanoseconds deadline) {
  Visit visit({0, 1, Depth::study, 0}, deadline);
  Nanoseconds now = round_trip;
  visit.connected(now, round_trip);
  std::vector<Bytes> sizes;
  std::vector<Train> under_way;
  for (;;) {
    const auto action = visit.next(now);
    if (action.act == Act::finish) return sizes;
    if (action.act == Act::train) {
      sizes.push_back(action.bytes);
      under_way.push_back({action.bytes, action.bytes * byte_ns});
      continue;
    }
    if (action.act == Act::wait) {
      const bool is_in_volley = !under_way.empty() && sizes.size() % 5 != 0;
      now = std::max(now + 1, under_way.empty() || is_in_volley ? action.until_ns : now + round_trip);
      if (is_in_volley) continue;
      for (const Train& train : under_way) visit.crossed(train, train);
      under_way.clear();
    }
  }
}

TEST(Visit, GrowsItsTrainsUntilTheirSpreadCanBeTold) {
  EXPECT_EQ(trains_sent(800, 20 * kMillisecond, 1'000 * kMillisecond), std::vector<Bytes>(5, 16 << 10));
  std::vector<Bytes> grown(5, 16 << 10);
  grown.insert(grown.end(), 5, 64 << 10);
  EXPECT_EQ(trains_sent(40, 20 * kMillisecond, 1'000 * kMillisecond), grown);
  EXPECT_EQ(trains_sent(0, 20 * kMillisecond, 1'000 * kMillisecond).size(), 30u)
      << "and no further than six volleys";
}

TEST(Visit, SendsTrainsOnceThoughTimeIsShort) {
  EXPECT_EQ(trains_sent(80, 300 * kMillisecond, 850 * kMillisecond).size(), 5u);
}

TEST(Visit, SendsNoTrainsToNeighbours) {
  EXPECT_TRUE(trains_sent(1, kMillisecond / 5, 1'000 * kMillisecond).empty());
}

TEST(Visit, SendsTheLeastTrainsWhereADirectionIsTold) {
  Visit visit({0, 1, Depth::study, 0}, 1'000 * kMillisecond);
  Nanoseconds now = 20 * kMillisecond;
  visit.connected(now, 20 * kMillisecond);
  std::vector<std::pair<Bytes, Bytes>> sent;
  for (auto action = next_act(visit, now); action.act != Act::finish; action = next_act(visit, now))
    if (action.act == Act::ping) {
      visit.answered(20 * kMillisecond);
    } else {
      sent.emplace_back(action.bytes, action.bytes_back);
      visit.crossed({action.bytes, action.bytes * 40}, {action.bytes_back, action.bytes_back * 800});
    }
  ASSERT_EQ(sent.size(), 10u);
  EXPECT_EQ(sent[4], std::pair(Bytes{16 << 10}, Bytes{16 << 10}));
  EXPECT_EQ(sent[5], std::pair(Bytes{64 << 10}, kLeastTrain));
}

/// Pings that a study sends where round trips take `usual` and so much longer in turn.
int pings_sent(Nanoseconds usual, Nanoseconds longer) {
  Visit visit({0, 1, Depth::study, 0}, 2'000 * kMillisecond);
  Nanoseconds now = usual;
  visit.connected(now, usual);
  int pings = 0;
  for (auto action = next_act(visit, now); action.act != Act::finish; action = next_act(visit, now)) {
    const Train train{30'000, 2 * kMillisecond};
    if (action.act == Act::train)
      visit.crossed(train, train);
    else
      visit.answered(usual + ++pings % 4 * longer);
  }
  return pings;
}

TEST(Visit, PingsForLongerWhereRoundTripsScatter) {
  EXPECT_EQ(pings_sent(20 * kMillisecond, 0), 12);
  EXPECT_EQ(pings_sent(20 * kMillisecond, kMillisecond), 40);
  EXPECT_EQ(pings_sent(kMillisecond / 5, kMillisecond / 5), 12) << "near hosts are in one site anyhow";
}

TEST(Visit, SendsMoreTrainsWhereTheyDoNotAgree) {
  Visit visit({0, 1, Depth::study, 0}, 2'000 * kMillisecond);
  Nanoseconds now = 20 * kMillisecond;
  visit.connected(now, 20 * kMillisecond);
  int trains = 0;
  for (auto action = next_act(visit, now); action.act != Act::finish; action = next_act(visit, now)) {
    if (action.act == Act::ping) {
      visit.answered(20 * kMillisecond);
      continue;
    }
    ++trains;
    const Train there{30'000, 2 * kMillisecond},
        back{30'000, (trains <= 5 ? 2 + trains % 5 * 3 : 3) * kMillisecond};
    visit.crossed(there, back);
  }
  EXPECT_EQ(trains, 15) << "the second volley has a half of all that agree, but for one";
}

TEST(Visit, WaitsForItsTurnWithTrains) {
  Visit visit({0, 1, Depth::study, 135 * kMillisecond}, 1'000 * kMillisecond);
  visit.connected(10 * kMillisecond, 10 * kMillisecond);
  Nanoseconds now = 10 * kMillisecond, last_ping = 0;
  auto action = next_act(visit, now);
  for (; action.act == Act::ping; action = next_act(visit, now)) {
    last_ping = now;
    visit.answered(10 * kMillisecond);
  }
  EXPECT_EQ(action.act, Act::train);
  EXPECT_GE(now, last_ping + 135 * kMillisecond);
}

TEST(Visit, SendsItsTrainsInTimeForTheirAnswers) {
  Visit visit({0, 1, Depth::study, 800 * kMillisecond}, 1'000 * kMillisecond);
  visit.connected(300 * kMillisecond, 300 * kMillisecond);
  Nanoseconds now = 300 * kMillisecond;
  int trains = 0;
  for (auto action = next_act(visit, now); action.act != Act::finish; action = next_act(visit, now))
    if (action.act == Act::train) {
      ++trains;
      EXPECT_LE(now, 1'000 * kMillisecond - 375 * kMillisecond);
    }
  EXPECT_EQ(trains, 5);
}

TEST(Visit, IsAnsweredWhenNothingIsUnderWay) {
  Visit visit({0, 1, Depth::glance, 0}, 700 * kMillisecond);
  EXPECT_FALSE(visit.is_answered());
  visit.connected(kMillisecond, kMillisecond);
  EXPECT_TRUE(visit.is_answered());
  Nanoseconds now = kMillisecond;
  ASSERT_EQ(next_act(visit, now).act, Act::ping);
  EXPECT_FALSE(visit.is_answered());
  visit.answered(kMillisecond);
  EXPECT_TRUE(visit.is_answered());
}

}  // namespace
}  // namespace wan::probe
