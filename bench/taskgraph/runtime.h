// SPDX-License-Identifier: BSD-3-Clause
// One process of a task graph that runs without any global data structure. A task becomes ready when the last
// of its parents' results is here, and the most urgent one of those runs first. The calling thread does all
// that concerns the transport; others run the tasks. A result that has come is freed when the last task here
// that needs it has run; how much is held at a time follows from the graph, and is reported. No MPI here.
// Tested by bench/taskgraph/runtime_test.cc.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <queue>
#include <vector>

#include "base/types.h"
#include "bench/taskgraph/task.h"
#include "bench/taskgraph/transport.h"

namespace wan::bench {

/// Something that happened in one process.
struct Event {
  Name name{};                     ///< a task that has run: output 0; or a result that has come
  int thread = 0;                  ///< that ran it; -1: it is a result that has come
  Nanoseconds begin = 0, end = 0;  ///< CLOCK_MONOTONIC; equal for a result
  std::size_t bytes = 0;           ///< of the result
};

class Runtime {
 public:
  /// Process `me` with so many threads that run tasks. graph and transport must live longer.
  Runtime(Graph& graph, Transport& transport, int me, int threads);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Runs all tasks of this process. Returns when the exit task has ended, wherever that was, and nothing is
  /// under way from here any more. Once.
  void run();

  /// The tasks that ran here, and what came, in order of their ends.
  const std::vector<Event>& events() const { return events_; }
  /// The most bytes of results from other processes that were here at once.
  std::size_t most_held() const { return most_held_; }

 private:
  /// A task, and what of its inputs is here.
  struct Waiting {
    Task task{};
    int missing = 0;
    std::vector<FinalDatum> inputs{};
  };
  struct Finished {
    Event event;
    std::vector<FinalDatum> outputs;
  };
  /// Turned round, as std::priority_queue has the last one in front.
  struct IsLessUrgent {
    const Graph* graph;
    bool operator()(const Waiting& a, const Waiting& b) const {
      return graph->is_more_urgent(b.task, a.task);
    }
  };

  void work(int thread);
  bool step();
  void finish(const Finished& finished);
  void arrive(const FinalDatum& datum);
  void supply(const Task& task, const FinalDatum& datum);
  void make_ready(Waiting waiting);
  std::vector<Finished> take_finished();
  void wait_for_finished(Nanoseconds at_most);
  FinalDatum counted(const FinalDatum& datum);

  Graph& graph_;
  Transport& transport_;
  const int me_, threads_;
  std::map<Task, Waiting> waiting_;  ///< tasks with some of their inputs, not all
  int unfinished_ = 0;               ///< tasks with all of them
  bool has_ended_ = false;
  std::vector<Event> events_;
  std::atomic<std::size_t> held_ = 0;
  std::size_t most_held_ = 0;

  std::mutex mutex_;  ///< of what follows
  std::condition_variable has_ready_, has_finished_;
  std::priority_queue<Waiting, std::vector<Waiting>, IsLessUrgent> ready_;
  std::vector<Finished> finished_;
  bool is_over_ = false;
};

}  // namespace wan::bench
