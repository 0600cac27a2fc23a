// SPDX-License-Identifier: BSD-3-Clause
// A running (or, persistent, repeatable) collective call: a task, its memory, its messages and the execution
// of its program. Threads: as Execution. Tested by: tests/mpi.
#pragma once

#include "mca/pml_transport.h"
#include "mca/task.h"
#include "run/execution.h"

namespace wan {

class Operation {
 public:
  Operation(Channel channel, Task task, std::function<void(int status)> finished)
      : program_(std::move(task.program)),
        retained_(std::move(task.retained)),
        memory_(std::move(task.input), std::move(task.output), program_->lengths().scratch, task.element),
        transport_(channel, memory_, program_->size(), task.op, task.element),
        execution_(*program_, transport_, std::move(finished)) {
    transport_.attach(execution_);
  }

  void start() { execution_.start(); }

 private:
  std::shared_ptr<const Program> program_;
  Retained retained_;
  Memory memory_;
  PmlTransport transport_;
  Execution execution_;
};

}  // namespace wan
