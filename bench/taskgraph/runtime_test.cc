// SPDX-License-Identifier: BSD-3-Clause
// The scheduler, with processes that are threads and messages in memory, which overtake one another.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "bench/common/random.h"
#include "bench/taskgraph/runtime.h"
#include "bench/taskgraph/tiles.h"

namespace wan::bench {
namespace {

/// What the processes send each other.
class Network {
 public:
  explicit Network(int processes) : boxes_(static_cast<std::size_t>(processes)) {}

  void send(const FinalDatum& datum, const std::vector<int>& ranks) {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(sent_.insert(datum->name()).second) << "a result is sent twice";
    EXPECT_TRUE(std::ranges::is_sorted(ranks, std::less_equal())) << "a process gets a result twice";
    for (const int rank : ranks) boxes_.at(static_cast<std::size_t>(rank)).push_back(datum);
  }
  /// One of those that have come, or none.
  std::vector<FinalDatum> take(int rank) {
    const std::lock_guard lock(mutex_);
    std::vector<FinalDatum>& box = boxes_[static_cast<std::size_t>(rank)];
    if (box.empty()) return {};
    const auto at = box.begin() + static_cast<std::ptrdiff_t>(mixed(++draws_, 1, 2) % box.size());
    const FinalDatum datum = *at;
    box.erase(at);
    // As over a network: nothing is shared with the sender.
    return {std::make_shared<Datum>(*datum)};
  }
  std::size_t sent() const { return sent_.size(); }

 private:
  std::mutex mutex_;
  std::vector<std::vector<FinalDatum>> boxes_;
  std::set<Name> sent_;
  std::uint64_t draws_ = 0;
};

class FakeTransport : public Transport {
 public:
  FakeTransport(Network& network, int me) : network_(network), me_(me) {}
  void send(const FinalDatum& datum, const std::vector<int>& ranks) override { network_.send(datum, ranks); }
  std::vector<FinalDatum> progress() override { return network_.take(me_); }
  bool is_idle() const override { return true; }

 private:
  Network& network_;
  int me_;
};

/// A graph as a table. The value of a task is the sum of what it gets, and 1.
class Table : public Graph {
 public:
  Table(int processes, std::vector<Task> entries, Task exit, std::map<Task, std::vector<Child>> children)
      : processes_(processes), entries_(std::move(entries)), exit_(exit), children_(std::move(children)) {
    for (const auto& [task, list] : children_)
      for (const Child& child : list) ++parents_[child.task];
  }
  int processes() const override { return processes_; }
  std::vector<Task> entry_tasks() const override { return entries_; }
  Task exit_task() const override { return exit_; }
  std::vector<Child> children(const Task& task) const override {
    const auto at = children_.find(task);
    return at == children_.end() ? std::vector<Child>{} : at->second;
  }
  int num_parents(const Task& task) const override { return parents_.at(task); }
  int owner(const Task& task) const override { return task.column; }
  bool is_more_urgent(const Task& a, const Task& b) const override { return a.row > b.row; }
  const char* kernel(const Task&) const override { return ""; }
  std::vector<FinalDatum> execute(const Task& task, std::span<const FinalDatum> inputs) override {
    const auto datum = std::make_shared<Datum>(Name{task, 0}, 100);
    *datum->values() = 1;
    for (const FinalDatum& input : inputs) *datum->values() += *input->values();
    const std::lock_guard lock(mutex_);
    order_.push_back(task.row);
    last_ = *datum->values();
    return {datum};
  }
  const std::vector<int>& order() const { return order_; }
  double last() const { return last_; }

 private:
  int processes_;
  std::vector<Task> entries_;
  Task exit_;
  std::map<Task, std::vector<Child>> children_;
  std::map<Task, int> parents_;
  std::mutex mutex_;
  std::vector<int> order_;
  double last_ = 0;
};

/// The most bytes that a process has held.
std::size_t run_all(const std::vector<Graph*>& graphs, int threads, Network& network) {
  std::vector<std::size_t> held(graphs.size());
  std::vector<std::jthread> processes;
  for (std::size_t me = 0; me < graphs.size(); ++me)
    processes.emplace_back([&, me] {
      FakeTransport transport(network, static_cast<int>(me));
      Runtime runtime(*graphs[me], transport, static_cast<int>(me), threads);
      runtime.run();
      held[me] = runtime.most_held();
    });
  processes.clear();
  return std::ranges::max(held);
}

TEST(Runtime, TheMostUrgentTaskRunsFirst) {
  const Task exit{0, 0, 1};
  std::map<Task, std::vector<Child>> children;
  for (const int row : {4, 1, 3, 5, 2}) children[{row, 0, 0}] = {{exit, 0}};
  Table table(1, {{4, 0, 0}, {1, 0, 0}, {3, 0, 0}, {5, 0, 0}, {2, 0, 0}}, exit, children);
  Network network(1);
  run_all({&table}, 1, network);
  EXPECT_EQ(table.order(), (std::vector<int>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(table.last(), 6);  // it had all five
}

/// Task i of process i % 2 needs task i - 1.
TEST(Runtime, WhatHasComeIsFreedWhenItsLastUserHasRun) {
  constexpr int kTasks = 20;
  std::map<Task, std::vector<Child>> children;
  for (int i = 0; i + 1 < kTasks; ++i) children[{i, i % 2, 0}] = {{{i + 1, (i + 1) % 2, 0}, 0}};
  Table table(2, {{}}, {kTasks - 1, (kTasks - 1) % 2, 0}, children);
  Network network(2);
  EXPECT_EQ(run_all({&table, &table}, 1, network), Datum({}, 100).byte_count());
  EXPECT_EQ(table.last(), kTasks);
  EXPECT_EQ(network.sent(), kTasks);  // each result, and the end
}

/// Six users of one result at two other processes.
TEST(Runtime, AResultIsSentOnceForAllUsersOfAProcess) {
  const Task exit{9, 0, 0};
  std::map<Task, std::vector<Child>> children;
  for (int row = 1; row <= 6; ++row) {
    children[{}].push_back({{row, 1 + row % 2, 0}, 0});
    children[{row, 1 + row % 2, 0}] = {{exit, 0}};
  }
  Table table(3, {{}}, exit, children);
  Network network(3);
  const std::size_t one = Datum({}, 100).byte_count();
  EXPECT_EQ(run_all({&table, &table, &table}, 2, network), 6 * one);  // by the exit task
  EXPECT_EQ(table.last(), 13);
  EXPECT_EQ(network.sent(), 8U);
}

TEST(RuntimeDeath, AnEndBeforeAnotherTaskIsADefect) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Table table(1, {{5, 0, 0}, {1, 0, 0}}, {5, 0, 0}, {{{1, 0, 0}, {{{0, 0, 0}, 0}}}});
  Network network(1);
  EXPECT_DEATH(run_all({&table}, 1, network), "the exit task has ended before another task");
}

using Maker = std::unique_ptr<TileGraph> (*)(int size, int tile, Grid grid, int me);

/// The error of a factorization on so many processes.
double factorize(Maker make, int size, int tile, Grid grid, int threads) {
  std::vector<std::unique_ptr<TileGraph>> graphs;
  std::vector<Graph*> pointers;
  for (int me = 0; me < grid.processes(); ++me) {
    graphs.push_back(make(size, tile, grid, me));
    graphs.back()->prepare(7);
    pointers.push_back(graphs.back().get());
  }
  Network network(grid.processes());
  run_all(pointers, threads, network);
  std::vector<FinalDatum> parts;
  for (const auto& graph : graphs)
    parts.insert(parts.end(), graph->results().begin(), graph->results().end());
  EXPECT_EQ(static_cast<int>(parts.size()), graphs[0]->result_count());
  const double right = graphs[0]->error(parts);
  parts.pop_back();
  EXPECT_GT(graphs[0]->error(parts), kLargestError) << "a part that is missing is not noticed";
  return right;
}

TEST(Factorizations, AreThoseOfLapack) {
  for (const Maker make : {make_cholesky, make_qr}) {
    EXPECT_LT(factorize(make, 1, 4, {1, 1}, 1), kLargestError);
    EXPECT_LT(factorize(make, 96, 32, {1, 1}, 3), kLargestError);
    EXPECT_LT(factorize(make, 100, 32, {2, 3}, 2), kLargestError);
    EXPECT_LT(factorize(make, 61, 10, {3, 2}, 1), kLargestError);
    EXPECT_LT(factorize(make, 90, 40, {3, 3}, 1), kLargestError);
  }
}

}  // namespace
}  // namespace wan::bench
