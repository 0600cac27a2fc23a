// SPDX-License-Identifier: BSD-3-Clause
// The graphs of the factorizations are consistent: what tasks say of their children agrees with what these
// say of their parents, and with what the transports take for granted. Exhaustive for small matrices.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "bench/taskgraph/tiles.h"

namespace wan::bench {
namespace {

using Maker = std::unique_ptr<TileGraph> (*)(int size, int tile, Grid grid, int me);

/// Each task that can be reached, and how many name it as their child.
std::map<Task, int> parents_of(const Graph& graph, const std::vector<Task>& from) {
  std::map<Task, int> parents;
  std::deque<Task> next(from.begin(), from.end());
  for (const Task& task : from) parents[task] = 0;
  for (; !next.empty(); next.pop_front())
    for (const Child& child : graph.children(next.front())) {
      const auto [at, is_new] = parents.try_emplace(child.task, 0);
      ++at->second;
      if (is_new) next.push_back(child.task);
    }
  return parents;
}

struct Case {
  const char* name;
  Maker make;
  int (*tasks)(int tiles);
};
void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

class Graphs : public testing::TestWithParam<Case> {
 protected:
  /// Calls `check` for matrices of up to 7 x 7 tiles on several grids.
  template <class Check>
  void for_each(Check check) const {
    for (const Grid grid : {Grid{1, 1}, Grid{2, 3}, Grid{3, 2}, Grid{1, 4}, Grid{4, 4}})
      for (int tiles = 1; tiles <= 7; ++tiles) check(*GetParam().make(3 * tiles - 1, 3, grid, 0));
  }
};

TEST_P(Graphs, HaveTheTasksOfTheFormula) {
  for_each([](const TileGraph& graph) {
    EXPECT_EQ(static_cast<int>(parents_of(graph, graph.entry_tasks()).size()),
              GetParam().tasks(graph.tiles()));
  });
}

TEST_P(Graphs, ParentsAreThoseWhoNameTheirChild) {
  for_each([](const TileGraph& graph) {
    for (const auto& [task, parents] : parents_of(graph, graph.entry_tasks()))
      EXPECT_EQ(graph.num_parents(task), parents) << task.row << ' ' << task.column << ' ' << task.step;
  });
}

TEST_P(Graphs, OnlyTheExitTaskHasNoChild) {
  for_each([](const TileGraph& graph) {
    for (const auto& [task, parents] : parents_of(graph, graph.entry_tasks()))
      EXPECT_EQ(graph.children(task).empty(), task == graph.exit_task());
  });
}

TEST_P(Graphs, ChildrenInPlaceAreOfTheSameProcessAndNoChildIsThereTwice) {
  for_each([](const TileGraph& graph) {
    for (const auto& [task, parents] : parents_of(graph, graph.entry_tasks())) {
      std::set<Task> children;
      for (const Child& child : graph.children(task)) {
        EXPECT_TRUE(children.insert(child.task).second);
        EXPECT_TRUE(child.output != kInPlace || graph.owner(task) == graph.owner(child.task));
      }
    }
  });
}

TEST_P(Graphs, BroadcastsAreAllThatSeveralProcessesNeed) {
  for_each([](const TileGraph& graph) {
    const std::vector<Name> list = graph.broadcasts();
    const std::set<Name> broadcasts(list.begin(), list.end());
    EXPECT_EQ(broadcasts.size(), list.size());
    for (const auto& [task, parents] : parents_of(graph, graph.entry_tasks()))
      for (const int output : {0, 1})
        EXPECT_TRUE(destinations(graph, {task, output}).size() < 2 || broadcasts.contains({task, output}));
  });
}

TEST_P(Graphs, NoBroadcastDependsOnALaterOne) {
  for_each([](const TileGraph& graph) {
    const std::vector<Name> list = graph.broadcasts();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto after = parents_of(graph, {list[i].task});
      for (std::size_t before = 0; before < i; ++before) EXPECT_FALSE(after.contains(list[before].task));
    }
  });
}

TEST_P(Graphs, TheEndGoesToAllOthers) {
  const auto graph = GetParam().make(10, 3, {2, 2}, 0);
  EXPECT_EQ(destinations(*graph, {graph->exit_task(), kEnd}), (std::vector<int>{0, 1, 2}));
}

INSTANTIATE_TEST_SUITE_P(
    Factorizations, Graphs,
    testing::Values(Case{"cholesky", make_cholesky, [](int n) { return n * (n + 1) * (n + 2) / 6; }},
                    Case{"qr", make_qr, [](int n) { return n * (n + 1) * (2 * n + 1) / 6; }}),
    [](const auto& each) { return each.param.name; });

/// The last tile of column 0 of 4 x 4: row 3 needs it, and nothing else.
TEST(Cholesky, APanelTileGoesToItsRowAndColumn) {
  const auto graph = make_cholesky(8, 2, {2, 2}, 0);
  EXPECT_EQ(destinations(*graph, {{3, 0, 0}, 0}), (std::vector<int>{3}));
  EXPECT_EQ(destinations(*graph, {{1, 0, 0}, 0}), (std::vector<int>{1, 3}));
  EXPECT_EQ(destinations(*graph, {{0, 0, 0}, 0}), (std::vector<int>{2}));
}

}  // namespace
}  // namespace wan::bench
