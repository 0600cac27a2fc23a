// SPDX-License-Identifier: BSD-3-Clause
// What an Execution needs from the world: messages that complete later, and memory operations that complete
// at once. Implemented over the PML by mca/, and by fakes in tests/unit/run_execution.cc and
// tests/property/executions.cc.
#pragma once

#include "plan/program.h"

namespace wan {

class Execution;

class Transport {
 public:
  virtual ~Transport() = default;

  /// May the step's send start now? Asked right before send(), which follows if so. If not, the Execution
  /// asks for wake_later() and tries again when it is woken.
  virtual bool admits(StepIndex /*index*/, const Step& /*step*/) { return true; }
  /// Execution::woken() is to be called once, from any thread, not inside this call: when what was not
  /// admitted may be, or earlier. Not asked for again before that.
  virtual void wake_later() {}

  /// Is there room for the step's message, such as memory? Asked where two of its queue are under way. If
  /// not, it starts when one of those has completed. That holds nobody up for ever: the messages of a queue
  /// match in step order, so a later one cannot be what an earlier one waits for.
  virtual bool has_room(StepIndex /*index*/, const Step& /*step*/) { return true; }

  /// Starts the step's message. Its completion is told once, by Execution::completed(index, status), from any
  /// thread and at any time, also before the call returns. Steps to one peer are started in step order
  /// (pairing), so a transport that keeps the order of messages between two ranks keeps the pairing.
  virtual void send(StepIndex index, const Step& step) = 0;
  virtual void receive(StepIndex index, const Step& step) = 0;
  /// Done when it returns; 0 or an error.
  virtual int copy(const Step& step) = 0;
  virtual int reduce(const Step& step) = 0;
  /// The call has failed: the message, started and perhaps completed meanwhile, is wanted no longer. Its
  /// completion must still be told, unless it has been.
  virtual void cancel(StepIndex index) = 0;
};

}  // namespace wan
