// SPDX-License-Identifier: BSD-3-Clause
// An Execution that has been made takes no memory while it runs: where that is, in Open MPI's progress loop,
// nobody could be told that there is none.
#include <gtest/gtest.h>

#include "plan/builder.h"
#include "run/execution.h"
#include "tests/support/counted_memory.h"

namespace wan {
namespace {

/// Refuses each send once, and completes what it is given when the test says.
class Unwilling : public Transport {
 public:
  explicit Unwilling(StepIndex steps) : refused_(static_cast<std::size_t>(steps)) {
    under_way_.reserve(static_cast<std::size_t>(steps));
  }
  bool admits(StepIndex index, const Step&) override {
    return std::exchange(refused_[static_cast<std::size_t>(index)], true);
  }
  void wake_later() override { wakes_ = true; }
  void send(StepIndex index, const Step&) override { under_way_.push_back(index); }
  void receive(StepIndex index, const Step&) override { under_way_.push_back(index); }
  int copy(const Step&) override { return 0; }
  int reduce(const Step&) override { return 0; }
  void cancel(StepIndex) override {}

  /// Completes the last message, or wakes; is there nothing more to do?
  bool go_on(Execution& execution) {
    if (std::exchange(wakes_, false)) {
      execution.woken();
    } else if (!under_way_.empty()) {
      const StepIndex last = under_way_.back();
      under_way_.pop_back();
      execution.completed(last, 0);
    } else {
      return false;
    }
    return true;
  }

 private:
  std::vector<char> refused_;
  std::vector<StepIndex> under_way_;
  bool wakes_ = false;
};

/// Receives a vector from each of the ranks 1 to `others`, adds it up, and sends it to them in segments.
Program sum_up(Rank others) {
  constexpr Count kLength = 64;
  Builder b(Unit::elements, 0, others + 1, {kLength, kLength}, {.segment = 4});
  b.copy(b.input(), b.output());
  for (Rank rank = 1; rank <= others; ++rank) {
    const Range heard = b.scratch(kLength);
    b.receive(rank, heard);
    b.reduce(heard, b.output());
  }
  for (Rank rank = 1; rank <= others; ++rank) b.send(rank, b.output());
  return std::move(b).finish();
}

TEST(Execution, TakesNoMemoryWhileItRuns) {
  const Program program = sum_up(20);
  Unwilling transport(program.size());
  int ends = 0;
  Execution execution(program, transport, [&ends](int status) { ends += status == 0; });
  const std::int64_t before = bytes_in_use();
  watch_memory();
  execution.start();
  while (transport.go_on(execution)) {
  }
  EXPECT_EQ(most_bytes_in_use(), before);
  EXPECT_EQ(ends, 1);
}

}  // namespace
}  // namespace wan
