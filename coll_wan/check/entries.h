// SPDX-License-Identifier: BSD-3-Clause
// What a barrier promises: no rank leaves before all have entered. For each step, the ranks that must have
// entered the call before the step can end: one's own, those of the steps it waits for, and of a receive
// those of the send. (A send's end says nothing of the receiver: the message may be buffered.) Tested by
// tests/unit/check_verify.cc.
#pragma once

#include <string>
#include <vector>

#include "plan/program.h"

namespace wan {

/// A step of a rank.
struct Place {
  Rank rank;
  StepIndex step;
};

class Entries {
 public:
  explicit Entries(const Schedule& schedule);
  /// `later` can only end after `earlier` has ended, or has started if it is the send that `later` receives.
  void follow(Place earlier, Place later);
  /// The ranks, of all, that may still be outside when `rank` has done its last step.
  std::vector<Rank> missing_at(Rank rank) const;

 private:
  using Ranks = std::vector<bool>;
  std::vector<std::vector<Ranks>> entered_;  ///< [rank][step]
};

}  // namespace wan
