// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/program_editor.h"

#include <algorithm>

#include "base/invariant.h"
#include "plan/builder.h"

namespace wan {

void EditedProgram::drop(StepIndex index) {
  steps.erase(steps.begin() + index);
  for (EditedStep& step : steps) {
    std::erase(step.after, index);
    for (StepIndex& earlier : step.after) earlier -= earlier > index ? 1 : 0;
  }
}

void EditedProgram::insert(StepIndex index, EditedStep step) {
  for (EditedStep& other : steps)
    for (StepIndex& earlier : other.after) earlier += earlier >= index ? 1 : 0;
  steps.insert(steps.begin() + index, std::move(step));
}

EditedProgram ProgramEditor::edited(const Program& program) {
  EditedProgram edited{program.unit(), program.lengths(), {}};
  for (StepIndex i = 0; i < program.size(); ++i) {
    const Step step = program.step(i);
    edited.steps.push_back({step.kind,
                            step.peer,
                            {step.from.begin(), step.from.end()},
                            {step.to.begin(), step.to.end()},
                            {step.after.begin(), step.after.end()}});
  }
  return edited;
}

namespace {

void check(const EditedStep& step, StepIndex index, const BufferLengths& lengths) {
  for (const auto& ranges : {step.from, step.to})
    for (const Range& range : ranges)
      invariant(
          range.offset >= 0 && range.length > 0 && range.offset + range.length <= lengths.of(range.buffer),
          "an edited range outside its buffer");
  for (const StepIndex earlier : step.after)
    invariant(earlier >= 0 && earlier < index, "an edited step waits for a later one");
  if (step.kind == StepKind::copy || step.kind == StepKind::reduce)
    invariant(total_length(step.from) == total_length(step.to), "an edited step loses units");
}

}  // namespace

Program ProgramEditor::program(const EditedProgram& edited) {
  Program program;
  program.unit_ = edited.unit;
  program.lengths_ = edited.lengths;
  for (const EditedStep& step : edited.steps) {
    check(step, program.size(), edited.lengths);
    const auto place = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    Program::Record record{step.kind, step.peer, place(program.ranges_), 0, 0, place(program.after_), 0};
    program.ranges_.insert(program.ranges_.end(), step.from.begin(), step.from.end());
    record.to = place(program.ranges_);
    program.ranges_.insert(program.ranges_.end(), step.to.begin(), step.to.end());
    record.end = place(program.ranges_);
    program.after_.insert(program.after_.end(), step.after.begin(), step.after.end());
    record.after_end = place(program.after_);
    program.steps_.push_back(record);
  }
  program.number_queues();
  program.send_limits_.assign(static_cast<std::size_t>(program.queues()), edited.sends);
  program.turn_dependencies_round();
  return program;
}

}  // namespace wan
