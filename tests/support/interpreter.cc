// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/interpreter.h"

#include <algorithm>
#include <random>

#include "base/index.h"

namespace wan {

void Interpreter::add(EditedProgram program, Memory input, Memory output) {
  input.resize(at(program.lengths.input), "?");
  output.resize(at(program.lengths.output), "?");
  Memory scratch(at(program.lengths.scratch), "?");
  std::vector<bool> is_done(program.steps.size());
  processes_.push_back(
      {std::move(program), {std::move(input), std::move(output), std::move(scratch)}, std::move(is_done)});
}

bool Interpreter::run(std::uint32_t seed) {
  std::vector<Place> open;
  for (std::size_t process = 0; process < processes_.size(); ++process)
    for (std::size_t i = 0; i < processes_[process].program.steps.size(); ++i) open.push_back({process, i});
  std::mt19937 random(seed);
  while (!open.empty()) {
    std::ranges::shuffle(open, random);
    if (std::ranges::none_of(open, [&](Place place) { return try_step(place); })) return false;
    std::erase_if(open, [&](Place place) { return processes_[place.process].is_done[place.step]; });
  }
  return true;
}

/// Have all steps that it waits for been done, and all messages before it in its queue?
bool Interpreter::is_ready(Place place) {
  const Process& process = processes_[place.process];
  const EditedStep& wanted = step(place);
  if (process.is_done[place.step]) return false;
  for (const StepIndex earlier : wanted.after)
    if (!process.is_done[at(earlier)]) return false;
  for (std::size_t i = 0; i < place.step && wanted.peer >= 0; ++i) {
    const EditedStep& earlier = process.program.steps[i];
    if (earlier.kind == wanted.kind && earlier.peer == wanted.peer && !process.is_done[i]) return false;
  }
  return true;
}

bool Interpreter::try_step(Place place) {
  const EditedStep& wanted = step(place);
  if (wanted.kind == StepKind::receive || !is_ready(place)) return false;
  if (wanted.kind == StepKind::send) return try_message(place);
  Memory values = read(place, wanted.from);
  if (wanted.kind == StepKind::reduce) {
    const Memory right = read(place, wanted.to);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += right[i];
  }
  return write(place, values);
}

/// Moves the message if its receiver is ready and waits for as many units.
bool Interpreter::try_message(Place send) {
  const std::size_t peer = at(step(send).peer);
  for (std::size_t i = 0; i < processes_[peer].program.steps.size(); ++i) {
    const EditedStep& receive = step({peer, i});
    if (receive.kind != StepKind::receive || at(receive.peer) != send.process || !is_ready({peer, i}))
      continue;
    if (!write({peer, i}, read(send, step(send).from))) return false;
    processes_[send.process].is_done[send.step] = true;
    return true;
  }
  return false;
}

Interpreter::Memory Interpreter::read(Place place, const std::vector<Range>& ranges) {
  Memory values;
  for (const Range& range : ranges) {
    const auto begin = processes_[place.process].memory[at(range.buffer)].begin() + range.offset;
    values.insert(values.end(), begin, begin + range.length);
  }
  return values;
}

bool Interpreter::write(Place place, const Memory& values) {
  Count length = 0;
  for (const Range& range : step(place).to) length += range.length;
  if (length != static_cast<Count>(values.size())) return false;
  auto next = values.begin();
  for (const Range& range : step(place).to) {
    std::copy(next, next + range.length,
              processes_[place.process].memory[at(range.buffer)].begin() + range.offset);
    next += range.length;
  }
  processes_[place.process].is_done[place.step] = true;
  return true;
}

}  // namespace wan
