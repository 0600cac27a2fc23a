// SPDX-License-Identifier: BSD-3-Clause
// When a link is to be tried that is believed to be slower than was stated: plans avoid it, so nothing would
// show that it has become quicker again. A trial is a few messages of the component's own
// (algo/services/trial.h), which are timed. They are long enough to show many times the rate that is
// believed, and take a small part of what the link gives at that rate. The longer a link stays slow, the
// rarer they are. Where a topology file states too much, all links are slow, and plans avoid none. One that
// calls fill then shows by itself what it gives (learn/pace_control.h), and a trial would only be in their
// way: it is made once a minute.
//
// Time is an argument. Threads: one at a time. Tested by: tests/unit/learn_trials.cc.
#pragma once

#include <algorithm>
#include <optional>

#include "base/types.h"

namespace wan {

/// Of a trial: the first may find TCP slow, and a rate counts when it has been attained twice.
inline constexpr int kMessagesOfTrial = 3;

/// How much less is believed of a link than was stated.
enum class Slowdown {
  none,           ///< or little
  of_all,         ///< no other link is clearly better, in proportion
  more_than_some  ///< plans avoid it
};

/// Of one link.
class Trials {
 public:
  /// Bytes of each message of the trial that is to begin now; 0: none is. held: what is believed of the link.
  Bytes due(Nanoseconds now, Slowdown slowdown, BytesPerSecond held, Nanoseconds round_trip);
  /// Calls have got so much of the link, which, or whose pacing, made them wait.
  void filled(BytesPerSecond rate) { filled_ = std::max(filled_, rate); }
  /// What filled the link was a trial.
  void made() { filled_ = 0; }

 private:
  Nanoseconds wait_ = 0;
  Nanoseconds latest_ = 0;  ///< trial, or when the link was found to be slow
  std::optional<Nanoseconds> next_;
  bool was_slow_ = false;
  BytesPerSecond filled_ = 0;  ///< the most since a trial was due
};

}  // namespace wan
