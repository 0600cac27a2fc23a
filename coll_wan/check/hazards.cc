// SPDX-License-Identifier: BSD-3-Clause
// Invariant 7, from the steps alone: the Builder's bookkeeping is not used.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "check/verify.h"

#include "base/index.h"

namespace wan {

namespace {

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

/// Which steps are ordered before which.
class Order {
 public:
  explicit Order(const Program& program) : words_(at(program.size()) / kBits + 1) {
    for (StepIndex i = 0; i < program.size(); ++i) {
      before_.emplace_back(words_);
      for (const StepIndex earlier : program.step(i).after) put_before(i, earlier);
    }
  }
  bool is_before(StepIndex earlier, StepIndex step) const {
    return (before_[at(step)][at(earlier) / kBits] >> at(earlier) % kBits & 1u) != 0;
  }

 private:
  static constexpr std::size_t kBits = 64;

  /// `earlier`, and all that is before it.
  void put_before(StepIndex step, StepIndex earlier) {
    auto& before = before_[at(step)];
    for (std::size_t word = 0; word < words_; ++word) before[word] |= before_[at(earlier)][word];
    before[at(earlier) / kBits] |= std::uint64_t{1} << at(earlier) % kBits;
  }

  std::size_t words_;
  std::vector<std::vector<std::uint64_t>> before_;  ///< by step, a bit for each step
};

}  // namespace

std::vector<std::string> hazards(const Program& program) {
  const Order order(program);
  std::vector<std::string> found;
  std::vector<Access> open;
  for (const Access& access : accesses_of(program)) {
    std::erase_if(open, [&](const Access& other) {
      return other.range.buffer != access.range.buffer ||
             other.range.offset + other.range.length <= access.range.offset;
    });
    for (const Access& other : open) {
      if (other.touches == Touches::reading && access.touches == Touches::reading) continue;
      if (order.is_before(other.step, access.step) || order.is_before(access.step, other.step)) continue;
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
