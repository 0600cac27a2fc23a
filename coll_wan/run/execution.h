// SPDX-License-Identifier: BSD-3-Clause
// Runs one Program over a Transport: issues each step as soon as what it depends on has completed and, for messages, all
// earlier messages of their lane have been issued (invariant 1). No more than kMostSends sends of a lane are under way, so
// that a late receiver is asked about a bounded number of messages (invariant 9).
//
// Threads: completed() may be called from any thread, also from inside a Transport call. One thread at a time works for
// the Execution; others leave their completion in its inbox and go on, so no lock is held while the Transport runs.
// Restartable: a persistent call starts the same Execution again and again.
// Tested by tests/unit/run_execution.cc, run_threads.cc (also under ThreadSanitizer) and tests/property/executions.cc.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "plan/program.h"
#include "plan/segmentation.h"
#include "run/transport.h"

namespace wan {

class Execution {
 public:
  static constexpr std::size_t kMostSends = Segmentation::kMostSends;

  /// `finished(status)` is called exactly once for each start(), after the last step has completed and nothing of the
  /// Execution is touched any more: it may start it again or destroy it. `program` and `transport` must outlive it.
  /// status is 0, or the first error that a step reported.
  Execution(const Program& program, Transport& transport, std::function<void(int status)> finished);

  /// Runs the Program from its beginning. Not while it is running.
  void start();
  /// A message has completed (see Transport). status 0 or an error: after an error no further step is issued, and
  /// what is under way is cancelled and awaited.
  void completed(StepIndex index, int status);

 private:
  struct Completion {
    StepIndex index;
    int status;
  };
  /// Messages of one direction with one peer, in step order.
  struct Lane {
    std::vector<StepIndex> steps;
    std::size_t issued = 0;
    std::size_t under_way = 0;
  };
  enum class Progress : std::uint8_t { waiting, ready, under_way, done };

  Lane* lane_of(StepIndex index);
  enum class Turn : std::uint8_t { work, pause, end };

  void drain();
  Turn next_turn(std::vector<Completion>& batch);
  void settle(Completion completion);
  void release_dependents(StepIndex index);
  void make_ready(StepIndex index);
  void issue(Lane& lane);
  void run_local_steps();
  void run_local_step(StepIndex index);
  void fail(int status);

  const Program& program_;
  Transport& transport_;
  std::function<void(int)> finished_;

  std::vector<Lane> lanes_;
  std::vector<std::int32_t> waits_;     ///< dependencies of each step that have not completed
  std::vector<Progress> progress_;      ///< of each step
  std::vector<StepIndex> local_ready_;  ///< heap, lowest step first
  std::int32_t outstanding_ = 0;        ///< steps not done; after an error, messages under way
  int status_ = 0;

  std::mutex mutex_;                    ///< guards the two below
  std::vector<Completion> inbox_;
  bool running_ = false;                ///< a thread is working for this Execution
};

}  // namespace wan
