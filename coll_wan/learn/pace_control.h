// SPDX-License-Identifier: BSD-3-Clause
// The rate at which the processes of a site send over a link (run/pacer.h): as believed, or, where the link
// has been full at clearly less, as measured; and a little more. Where that is less than the link gives,
// pacing itself hides it: what is held back fills no link. So while something is held,
//  - the rate doubles when all that has gone is delivered: the link is idle, and pacing alone is in the way;
//  - otherwise, where there is no queue, a quarter more is tried for some round trips. If nine tenths of what
//    was allowed then arrive, the rate stays; if not, or if the link turns out to be full, it goes back, and
//    the next trial waits twice as long.
// A rate that was tried stays until the link is full at less.
//
// All rates are the link's: each of n processes that send at the same time gets an n-th. Time is an argument.
// Threads: one at a time. Tested by: tests/unit/learn_pace_control.cc, on a simulated link.
#pragma once

#include <optional>

#include "learn/link_estimate.h"

namespace wan {

class PaceControl {
 public:
  /// percent: of the rate of the link; 0: nothing is held.
  explicit PaceControl(int percent) : percent_(percent) {}

  /// The plan's rate of the link; nullopt: it has none, and nothing is held before the rate is measured.
  void believe(std::optional<BytesPerSecond> rate);
  /// After estimate.see(now, demand).
  void see(const Sight& now, const LinkEstimate& estimate, Demand demand);
  /// 1 or more.
  BytesPerSecond rate() const;

 private:
  struct Trial {
    Nanoseconds counts_from, ends;  ///< what is sent at that rate is delivered then
    std::optional<Bytes> delivered = {};
    int senders;
  };
  /// How long until the next attempt: twice as long after each that fails.
  struct Patience {
    Nanoseconds wait = 0, until = 0;
    void lose(Nanoseconds now, Nanoseconds first, Nanoseconds most);
  };
  BytesPerSecond base() const;
  Nanoseconds time_of(Bytes bytes, int senders) const;
  void give_way(Nanoseconds now, Nanoseconds round_trip, BytesPerSecond full);
  void follow_trial(const Sight& now, Demand demand);
  void try_more(const Sight& now, Nanoseconds round_trip, int senders);

  int percent_;
  std::optional<BytesPerSecond> believed_, measured_;
  BytesPerSecond demonstrated_ = 0;
  BytesPerSecond tried_ = 0;   ///< 0: nothing is
  BytesPerSecond before_ = 0;  ///< the trial
  std::optional<Trial> trial_;
  Patience doubling_, trying_;
  int full_runs_ = 0;
};

}  // namespace wan
