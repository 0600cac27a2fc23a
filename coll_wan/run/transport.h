// SPDX-License-Identifier: BSD-3-Clause
// What an Execution needs from the world: messages that complete later, and memory operations that complete at once.
// Implemented over the PML by mca/, and by fakes in tests/unit/run_execution.cc and tests/property/executions.cc.
#pragma once

#include "plan/program.h"

namespace wan {

class Execution;

class Transport {
 public:
  virtual ~Transport() = default;

  /// Starts the step's message. Its completion is told once, by Execution::completed(index, status), from any thread
  /// and at any time, also before the call returns. Steps to one peer are started in step order (pairing), so a
  /// transport that keeps the order of messages between two ranks keeps the pairing.
  virtual void send(StepIndex index, const Step& step) = 0;
  virtual void receive(StepIndex index, const Step& step) = 0;
  /// Done when it returns; 0 or an error.
  virtual int copy(const Step& step) = 0;
  virtual int reduce(const Step& step) = 0;
  /// The call has failed: the message, started and perhaps completed meanwhile, is wanted no longer. Its completion must
  /// still be told, unless it has been.
  virtual void cancel(StepIndex index) = 0;
};

}  // namespace wan
