// SPDX-License-Identifier: BSD-3-Clause
// process/event.h: those who wait are told once, in their order, those who come later at once.
#include "process/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace wan {
namespace {

TEST(Event, TellsThoseWhoWaitAndThoseWhoComeLater) {
  Event event;
  std::vector<std::pair<int, int>> told;
  for (const int who : {1, 2}) event.await([&told, who](int status) { told.emplace_back(who, status); });
  EXPECT_FALSE(event.status().has_value());
  EXPECT_TRUE(told.empty());
  event.happen(7);
  EXPECT_EQ(event.status(), 7);
  event.await([&told](int status) { told.emplace_back(3, status); });
  EXPECT_EQ(told, (std::vector<std::pair<int, int>>{{1, 7}, {2, 7}, {3, 7}}));
}

TEST(Event, MayBeWaitedForByOneWhoIsBeingTold) {
  Event event;
  int told = 0;
  event.await([&](int) { event.await([&](int) { ++told; }); });
  event.happen(0);
  EXPECT_EQ(told, 1);
}

TEST(Event, MayBeDestroyedByOneWhoIsTold) {
  auto event = std::make_unique<Event>();
  bool last = false;
  event->await([&](int) { event.reset(); });
  event->await([&](int) { last = true; });
  Event* same = event.get();
  same->happen(0);
  EXPECT_TRUE(last);
  EXPECT_FALSE(event);
}

TEST(Event, TellsEveryThreadOnce) {
  for (int round = 0; round < 200; ++round) {
    Event event;
    std::atomic<int> told{0};
    std::thread waiting([&] {
      for (int i = 0; i < 10; ++i) event.await([&](int) { ++told; });
    });
    event.happen(0);
    waiting.join();
    EXPECT_EQ(told, 10);
  }
}

}  // namespace
}  // namespace wan
