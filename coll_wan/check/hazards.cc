// SPDX-License-Identifier: BSD-3-Clause
// Invariant 7, from the steps alone: the Builder's bookkeeping is not used.
#include <algorithm>
#include <string>

#include "check/verify.h"

namespace wan {

namespace {

std::size_t at(StepIndex index) {
  return static_cast<std::size_t>(index);
}

enum class Touches : std::uint8_t { reading, writing };

struct Access {
  Range range;
  StepIndex step;
  Touches touches;
};

std::vector<Access> accesses_of(const Program& program) {
  std::vector<Access> accesses;
  for (StepIndex i = 0; i < program.size(); ++i) {
    for (const Range& range : program.step(i).from) accesses.push_back({range, i, Touches::reading});
    for (const Range& range : program.step(i).to) accesses.push_back({range, i, Touches::writing});
  }
  std::ranges::sort(accesses, {}, [](const Access& a) { return std::pair(a.range.buffer, a.range.offset); });
  return accesses;
}

/// before[i][j]: step j is ordered before step i.
std::vector<std::vector<bool>> order_of(const Program& program) {
  std::vector<std::vector<bool>> before(at(program.size()), std::vector<bool>(at(program.size())));
  for (StepIndex i = 0; i < program.size(); ++i)
    for (const StepIndex earlier : program.step(i).after) {
      before[at(i)][at(earlier)] = true;
      for (StepIndex j = 0; j < earlier; ++j)
        if (before[at(earlier)][at(j)]) before[at(i)][at(j)] = true;
    }
  return before;
}

}  // namespace

std::vector<std::string> hazards(const Program& program) {
  const auto before = order_of(program);
  std::vector<std::string> found;
  std::vector<Access> open;
  for (const Access& access : accesses_of(program)) {
    std::erase_if(open, [&](const Access& other) {
      return other.range.buffer != access.range.buffer ||
             other.range.offset + other.range.length <= access.range.offset;
    });
    for (const Access& other : open) {
      if (other.touches == Touches::reading && access.touches == Touches::reading) continue;
      if (before[at(access.step)][at(other.step)] || before[at(other.step)][at(access.step)]) continue;
      found.push_back("steps " + std::to_string(other.step) + " and " + std::to_string(access.step) +
                      " touch the same units unordered");
    }
    if (access.touches == Touches::writing && access.range.buffer == Buffer::input)
      found.push_back("step " + std::to_string(access.step) + " writes the input");
    open.push_back(access);
  }
  return found;
}

}  // namespace wan
