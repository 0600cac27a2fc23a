// SPDX-License-Identifier: BSD-3-Clause
// Runs one Program over a Transport: issues each step as soon as what it depends on has completed and, for
// messages, all earlier messages of their queue have been issued (invariant 1). No more than
// Program::send_limit() sends of a queue are under way, so that a late receiver is asked about a bounded
// number of messages (invariant 9). A send that its transport does not admit yet (run/pacer.h) holds its
// queue until the transport wakes the Execution. Of what was held, earlier steps go first: what a plan sends
// in turn goes in turn.
//
// Takes all its memory when it is made: where it runs later, nobody could hear that there is none.
//
// Threads: completed() and woken() may be called from any thread, also from inside a Transport call. One
// thread at a time works for the Execution; others leave their completion in its inbox and go on, so no lock
// is held while the Transport runs. Restartable: a persistent call starts the same Execution again and again.
// Tested by tests/unit/run_execution.cc, run_threads.cc (also under ThreadSanitizer) and
// tests/property/executions.cc.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "plan/program.h"
#include "plan/segmentation.h"
#include "run/pacer.h"
#include "run/transport.h"

namespace wan {

class Execution {
 public:
  /// `finished(status)` is called exactly once for each start(), after the last step has completed and
  /// nothing of the Execution is touched any more: it may start it again or destroy it. `program` and
  /// `transport` must outlive it. status is 0, or the first error that a step reported. lead: one that hears
  /// of completions seldom begins with as many sends under way as Program::send_limit() ever allows.
  Execution(const Program& program, Transport& transport, std::function<void(int status)> finished,
            Lead lead = Lead::brief);

  /// Runs the Program from its beginning. Not while it is running.
  void start();
  /// A message has completed (see Transport). status 0 or an error: after an error no further step is issued,
  /// and what is under way is cancelled and awaited.
  void completed(StepIndex index, int status);
  /// What was asked for by Transport::wake_later().
  void woken();

 private:
  static constexpr StepIndex kNone = -1, kUntold = -2;

  enum class Progress : std::uint8_t { waiting, ready, under_way, done };
  struct State {
    std::int32_t waits;  ///< dependencies that have not completed
    Progress progress;
    StepIndex told = kUntold;  ///< in the inbox: the next one there; guarded like it
    int status = 0;            ///< that was told; guarded like the inbox
  };
  /// How far the messages of a queue have come.
  struct Queue {
    std::int32_t issued = 0;
    std::int32_t under_way = 0;
    bool held = false;  ///< its next send was not admitted
  };
  enum class Turn : std::uint8_t { work, pause, end };

  State& state(StepIndex index) { return states_[static_cast<std::size_t>(index)]; }
  void drain();
  Turn next_turn(StepIndex& first, bool& woken);
  void settle(StepIndex index);
  void release_dependents(StepIndex index);
  void make_ready(StepIndex index);
  void issue(std::int32_t queue);
  bool issue_next(std::int32_t queue);
  StepIndex next_step(std::int32_t queue) const;
  void hold(std::int32_t queue);
  void issue_held();
  void run_local_steps();
  void run_local_step(StepIndex index);
  void fail(int status);

  const Program& program_;
  Transport& transport_;
  std::function<void(int)> finished_;

  std::vector<Queue> queues_;
  std::vector<State> states_;           ///< of each step
  std::vector<StepIndex> local_ready_;  ///< heap, lowest step first
  std::vector<std::int32_t> held_;      ///< queues; not empty: the transport wakes us
  std::vector<std::int32_t>
      woken_queues_;  ///< heap of those that were held, lowest next step first; while they are issued
  std::int32_t outstanding_ = 0;  ///< steps not done; after an error, messages under way and the waking
  int status_ = 0;
  Lead lead_;

  std::mutex mutex_;  ///< guards the inbox, woken_ and running_
  StepIndex first_told_ =
      kNone;  ///< the inbox: messages that have completed, in the order in which that was told
  StepIndex last_told_ = kNone;
  bool woken_ = false;    ///< since that was last looked at
  bool running_ = false;  ///< a thread is working for this Execution
};

}  // namespace wan
