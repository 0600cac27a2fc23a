// SPDX-License-Identifier: BSD-3-Clause
// Programs as plain records, to be changed in any way and made into Programs again: the wrong ones that the
// checks must find. Only what a Program's memory safety rests on is still asked: ranges inside their buffers,
// peers of the communicator, dependencies on earlier steps.
#pragma once

#include <vector>

#include "plan/program.h"

namespace wan {

struct EditedStep {
  StepKind kind = StepKind::copy;
  Rank peer = -1;
  std::vector<Range> from, to;
  std::vector<StepIndex> after;
};

struct EditedProgram {
  Unit unit = Unit::bytes;
  BufferLengths lengths;
  std::vector<EditedStep> steps;
  SendLimit sends = {};  ///< of every queue

  EditedStep& step(StepIndex index) { return steps[static_cast<std::size_t>(index)]; }
  StepIndex size() const { return static_cast<StepIndex>(steps.size()); }
  /// Takes the step away; what waited for it waits no longer.
  void drop(StepIndex index);
  /// Puts `step` before step `index`; nothing waits for it.
  void insert(StepIndex index, EditedStep step);
};

class ProgramEditor {
 public:
  static EditedProgram edited(const Program& program);
  static Program program(const EditedProgram& edited);
};

}  // namespace wan
