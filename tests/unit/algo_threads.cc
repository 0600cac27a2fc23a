// SPDX-License-Identifier: BSD-3-Clause
// Several threads plan on one Topology at once, as those of an MPI_THREAD_MULTIPLE program do on one
// communicator: each comes to the same Programs as one alone. Meant to be run under ThreadSanitizer as well
// (tests/threads/run).
#include <gtest/gtest.h>

#include <thread>

#include "algo/schedule.h"
#include "base/time.h"
#include "plan/text.h"
#include "tests/support/layouts.h"

namespace wan {
namespace {

constexpr int kThreads = 4;

/// So unequal that detours, trees and shares pay.
Topology unequal_topology() {
  const Layout layout = layout_of("a1 a1 a2 b1 b2 c1 c1 d1");
  std::vector<Link> links;
  for (SiteIndex from = 0; from < layout.sites(); ++from)
    for (SiteIndex to = 0; to < layout.sites(); ++to)
      links.push_back(
          {(1 + 40 * (from * to % 3)) * kMillisecond, 1'000'000 * (1 + 30 * (std::abs(from - to) % 2)), 0});
  return {layout, uncapped_network(layout.sites(), links)};
}

GlobalCall call_of(const CollectiveTraits& each, Rank size, Count block) {
  GlobalCall call{each.collective, size, each.rooted ? 3 : 0, OperandOrder::any, block, {}, {}};
  if (each.vector)
    call.counts.assign(static_cast<std::size_t>(has_count_matrix(each.collective) ? size * size : size),
                       block);
  if (each.collective == Collective::barrier || each.vector) call.block = 0;
  return call;
}

/// Of every collective, short and long.
std::string all_plans(const Topology& topology) {
  std::string text;
  for (const CollectiveTraits& each : all_collectives())
    for (const Count block : {Count{8}, Count{50'000}}) {
      const Schedule schedule = plan_all(topology, Tuning{}, call_of(each, topology.layout.size(), block));
      for (Rank rank = 0; rank < topology.layout.size(); ++rank)
        text += to_text(schedule[static_cast<std::size_t>(rank)], rank, topology.layout.size());
    }
  return text;
}

TEST(Threads, PlanOnOneTopologyAtOnce) {
  const Topology topology = unequal_topology();
  std::vector<std::string> found(kThreads);
  std::vector<std::thread> threads;
  for (std::string& text : found) threads.emplace_back([&] { text = all_plans(topology); });
  for (std::thread& thread : threads) thread.join();
  const std::string alone = all_plans(topology);
  for (const std::string& text : found) EXPECT_TRUE(text == alone);
}

}  // namespace
}  // namespace wan
