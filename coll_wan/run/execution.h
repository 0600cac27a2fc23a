// SPDX-License-Identifier: BSD-3-Clause
// Runs one Program over a Transport: issues each step as soon as what it depends on has completed and, for messages, all
// earlier messages of the same direction to the same peer have been issued (invariant 1).
//
// Threads: completed() may be called from any thread, also from inside a Transport call. One thread at a time works for
// the Execution; others leave their completion in its inbox and go on, so no lock is held while the Transport runs.
// Restartable: a persistent call starts the same Execution again and again.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "plan/program.h"
#include "run/transport.h"

namespace wan {

class Execution {
 public:
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

  void enter(int work);
  void drain();
  void settle(Completion completion);
  void release(StepIndex index);
  void make_ready(StepIndex index);
  void issue_messages(std::size_t queue);
  void run_ready();
  void fail(int status);

  const Program& program_;
  Transport& transport_;
  std::function<void(int)> finished_;

  std::vector<std::int32_t> initial_waits_;   ///< number of dependencies of each step
  std::vector<std::size_t> queue_of_;         ///< message queue (direction, peer) of each step
  std::vector<std::vector<StepIndex>> queues_;  ///< messages of one direction and peer, in step order
  std::vector<std::int32_t> waits_;           ///< dependencies of each step not yet completed
  std::vector<std::size_t> next_in_queue_;    ///< first message of each queue not yet issued
  std::vector<StepIndex> ready_;              ///< steps whose dependencies have completed, by step order
  std::vector<char> under_way_;
  std::int32_t incomplete_ = 0;               ///< steps not yet completed; after an error, messages under way
  int status_ = 0;

  std::mutex inbox_mutex_;
  std::vector<Completion> inbox_;
  std::atomic<int> work_{0};                  ///< units of work announced; who raises it from 0 drains
};

}  // namespace wan
