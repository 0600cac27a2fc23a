// SPDX-License-Identifier: BSD-3-Clause
// A task graph as an application states it (papers/001, section 2.2), and the data that go along its edges.
// Every process can tell who the children of any task are, so no process needs the whole graph, and whoever
// gets a datum finds by its name what it is for. No MPI here. Tested by bench/taskgraph/graphs_test.cc.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/invariant.h"

namespace wan::bench {

/// Three numbers that mean something to the application only; those of tiled algorithms are here: which tile
/// a task changes, and at which step.
struct Task {
  int row = 0, column = 0, step = 0;
  auto operator<=>(const Task&) const = default;
};

/// A result of a task: its first is number 0.
struct Name {
  Task task{};
  int output = 0;
  auto operator<=>(const Name&) const = default;
};

/// Instead of an output: the child changes further what the parent has left in the memory of the process.
inline constexpr int kInPlace = -1;
/// The output of the exit task that tells all processes of the end; it has no values.
inline constexpr int kEnd = -2;

/// A named result, its name and values in one piece, as it is sent.
class Datum {
 public:
  Datum(const Name& name, std::size_t values) : doubles_(kHead + values) {
    std::memcpy(doubles_.data(), &name, sizeof name);
  }
  /// What has come in so many bytes; to be filled through bytes().
  explicit Datum(std::size_t bytes) : doubles_(bytes / sizeof(double)) {
    invariant(bytes % sizeof(double) == 0 && doubles_.size() >= kHead, "a message is no datum");
  }

  Name name() const {
    Name name;
    std::memcpy(static_cast<void*>(&name), doubles_.data(), sizeof name);
    return name;
  }
  double* values() { return doubles_.data() + kHead; }
  const double* values() const { return doubles_.data() + kHead; }
  std::size_t size() const { return doubles_.size() - kHead; }
  std::span<char> bytes() { return {reinterpret_cast<char*>(doubles_.data()), byte_count()}; }
  std::span<const char> bytes() const {
    return {reinterpret_cast<const char*>(doubles_.data()), byte_count()};
  }
  std::size_t byte_count() const { return doubles_.size() * sizeof(double); }

 private:
  static constexpr std::size_t kHead = (sizeof(Name) + sizeof(double) - 1) / sizeof(double);
  std::vector<double> doubles_;
};
/// Of which nobody changes the values any more.
using FinalDatum = std::shared_ptr<const Datum>;

/// A task that waits for another one, and for which of its outputs.
struct Child {
  Task task;
  int output;  ///< or kInPlace: parent and child have the same owner
};

class Graph {
 public:
  virtual ~Graph() = default;

  virtual int processes() const = 0;
  /// Tasks without parents.
  virtual std::vector<Task> entry_tasks() const = 0;
  /// The one task that all others lead to.
  virtual Task exit_task() const = 0;
  /// No task is there twice.
  virtual std::vector<Child> children(const Task& task) const = 0;
  virtual int num_parents(const Task& task) const = 0;
  /// The process that runs it.
  virtual int owner(const Task& task) const = 0;
  /// Of two tasks that could run, the one that comes first here does. A strict weak order.
  virtual bool is_more_urgent(const Task& a, const Task& b) const = 0;
  /// For pictures.
  virtual const char* kernel(const Task& task) const = 0;

  /// Runs a task with what its parents have sent, in any order. Returns its outputs in order. At the same
  /// time as other tasks, but only once, and never before a parent has ended.
  virtual std::vector<FinalDatum> execute(const Task& task, std::span<const FinalDatum> inputs) = 0;
};

/// The processes other than the owner that need a result, in ascending order.
inline std::vector<int> destinations(const Graph& graph, const Name& name) {
  std::vector<int> ranks;
  if (name.output == kEnd)
    for (int rank = 0; rank < graph.processes(); ++rank) ranks.push_back(rank);
  else
    for (const Child& child : graph.children(name.task))
      if (child.output == name.output) ranks.push_back(graph.owner(child.task));
  std::ranges::sort(ranks);
  ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
  std::erase(ranks, graph.owner(name.task));
  return ranks;
}

}  // namespace wan::bench
