// SPDX-License-Identifier: BSD-3-Clause
// When a link is to be tried that is believed to be slower than was stated: plans avoid it, so nothing would
// show that it has become quicker again. A trial is a few messages of the component's own
// (algo/services/trial.h), which are timed. They are long enough to show many times the rate that is
// believed, and take a small part of what the link gives at that rate. The longer a link stays slow, the
// rarer they are.
//
// Time is an argument. Threads: one at a time. Tested by: tests/unit/learn_trials.cc.
#pragma once

#include <optional>

#include "base/types.h"

namespace wan {

/// Of a trial: the first may find TCP slow, and a rate counts when it has been attained twice.
inline constexpr int kMessagesOfTrial = 3;

/// Of one link.
class Trials {
 public:
  /// Bytes of each message of the trial that is to begin now; 0: none is. held: what is believed of the link,
  /// clearly less than what was stated, which `is_slow` says.
  Bytes due(Nanoseconds now, bool is_slow, BytesPerSecond held, Nanoseconds round_trip);

 private:
  Nanoseconds wait_ = 0;
  std::optional<Nanoseconds> next_;
  bool was_slow_ = false;
};

}  // namespace wan
