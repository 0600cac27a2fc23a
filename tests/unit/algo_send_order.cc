// SPDX-License-Identifier: BSD-3-Clause
// algo/exchange/send_order.h: descending, stable, by the receivers' loads, then by what follows a message; in
// alltoallv too; and theorem 1 of papers/003: in the paper's model no order of the sends of the first phase
// completes earlier (all orders of small random patterns).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "algo/exchange/send_order.h"
#include "algo/schedule.h"
#include "tests/support/layouts.h"
#include "tests/support/pick.h"

namespace wan {
namespace {

using Ranks = std::vector<Rank>;
using Groups = std::vector<Ranks>;

TEST(SendOrder, IsDescendingAndKeepsTheOrderOfEqualOnesWhichAreTogether) {
  EXPECT_EQ(in_descending_order({{4, 1}, {1, 5}, {2, 5}, {0, 9}, {3, 1}}), (Groups{{0}, {1, 2}, {4, 3}}));
  EXPECT_TRUE(in_descending_order({}).empty());
}

TEST(SendOrder, IsThatOfTheLoadsAndOfThePathsWhereTheyAreEqual) {
  EXPECT_EQ(in_descending_order({{1, 90, 2}, {2, 10, 3}, {3, 80, 0}, {4, 95, 2}}),
            (Groups{{2}, {4}, {1}, {3}}));
}

TEST(SendOrder, CountsTheReceiversOwnSends) {
  Topology topology = topology_of("a a b");
  const Nanoseconds alone = remaining_path_ns(topology, 0, 2, 12'500, 0);
  EXPECT_EQ(alone, time_on_the_way_ns(topology, 0, 2, 12'500));
  topology.overheads = {{1, 1}, {2, 1}, {7, 1}};
  EXPECT_EQ(remaining_path_ns(topology, 0, 2, 12'500, 5), alone + 35);
  EXPECT_GT(remaining_path_ns(topology_of("a a b"), 0, 1, 12'500, 5), 0);
}

/// In the order of the sends.
Ranks receivers_of(const Program& program) {
  Ranks receivers;
  for (StepIndex i = 0; i < program.size(); ++i)
    if (program.step(i).kind == StepKind::send) receivers.push_back(program.step(i).peer);
  return receivers;
}

/// To whom rank 0 sends when each sends each other these bytes directly.
Ranks receivers_of_alltoallv(const std::string& layout, std::vector<Count> counts, std::vector<Count> loads) {
  const Topology topology = topology_of(layout);
  GlobalCall call;
  call.collective = Collective::alltoallv;
  call.size = topology.layout.size();
  call.counts = std::move(counts);
  call.loads = std::move(loads);
  Tuning tuning;
  tuning.algorithms.force(Collective::alltoallv, Algorithm::direct);
  return receivers_of(plan_all(topology, tuning, call).front());
}

TEST(SendOrder, EqualOnesGoInTurn) {
  const Topology topology = topology_of("a b b");
  GlobalCall call;
  call.collective = Collective::alltoall;
  call.size = 3;
  call.block = 20;
  Tuning tuning;
  tuning.segment = 10;
  tuning.alltoall_aggregate_limit = 0;
  EXPECT_EQ(receivers_of(plan_all(topology, tuning, call).front()), (Ranks{1, 2, 1, 2}));
}

TEST(SendOrder, OfAnAlltoallvFollowsTheLoads) {
  const std::vector<Count> counts(25, 10);
  EXPECT_EQ(receivers_of_alltoallv("a a b b b", counts, {9, 1, 3, 7, 3}), (Ranks{3, 2, 4, 1}));
  EXPECT_EQ(receivers_of_alltoallv("a a b b b", counts, {9, 8, 3, 2, 1}), (Ranks{1, 2, 3, 4}));
  EXPECT_EQ(receivers_of_alltoallv("a a b b b", counts, {}), (Ranks{2, 3, 4, 1}));
}

TEST(SendOrder, CountsTheLatencyAndTheBytesOfALink) {
  const Topology topology = topology_of("a a b");
  EXPECT_EQ(time_on_the_way_ns(topology, 0, 1, 1'000'000), 0);
  EXPECT_EQ(time_on_the_way_ns(topology, 0, 2, 0), 10'000'000);
  EXPECT_EQ(time_on_the_way_ns(topology, 2, 0, 12'500), 11'000'000);
}

/// Who sends to whom before the computation, in this order, and how many messages each sends after it.
struct TwoPhases {
  std::vector<Ranks> before;
  std::vector<int> after;
  int work = 0;
};

/// Equations 1, 2, 6 and 7: a message takes a unit of its sender's time and has then arrived.
int completion(const TwoPhases& phases) {
  int latest = 0;
  for (Rank rank = 0; rank < static_cast<Rank>(phases.before.size()); ++rank) {
    int begin = static_cast<int>(phases.before[static_cast<std::size_t>(rank)].size());
    for (const Ranks& list : phases.before)
      if (const auto found = std::ranges::find(list, rank); found != list.end())
        begin = std::max(begin, static_cast<int>(found - list.begin()) + 1);
    latest = std::max(latest, begin + phases.work + phases.after[static_cast<std::size_t>(rank)]);
  }
  return latest;
}

/// Over all orders of the lists from `list` on.
int least_completion(TwoPhases& phases, std::size_t list = 0) {
  if (list == phases.before.size()) return completion(phases);
  int least = std::numeric_limits<int>::max();
  Ranks& order = phases.before[list];
  std::ranges::sort(order);
  do {
    least = std::min(least, least_completion(phases, list + 1));
  } while (std::ranges::next_permutation(order).found);
  return least;
}

TwoPhases random_phases() {
  TwoPhases phases;
  const int size = pick(2, 5);
  for (int rank = 0; rank < size; ++rank) {
    phases.after.push_back(pick(0, 6));
    phases.before.emplace_back();
    for (int to = 0; to < size; ++to)
      if (to != rank && pick(0, 2) > 0) phases.before.back().push_back(to);
  }
  phases.work = pick(0, 3);
  return phases;
}

RC_GTEST_PROP(SendOrder, IsOptimalInThePapersModel, ()) {
  TwoPhases phases = random_phases();
  TwoPhases ordered = phases;
  for (Ranks& list : ordered.before) {
    std::vector<Sending> sendings;
    for (const Rank to : list) sendings.push_back({to, 0, phases.after[static_cast<std::size_t>(to)]});
    list.clear();
    for (const Ranks& equal : in_descending_order(sendings))
      list.insert(list.end(), equal.begin(), equal.end());
  }
  RC_ASSERT(completion(ordered) == least_completion(phases));
}

}  // namespace
}  // namespace wan
