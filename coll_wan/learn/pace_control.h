// SPDX-License-Identifier: BSD-3-Clause
// The rate at which the processes of a site send over a link (run/pacer.h): as believed, or as has been
// demonstrated, and a little more. What a process sees of a full link does not make it slower: it may have
// had less than its share. All ranks make out together that a link is slower (mca/link_agreement.h).
//
// Where that is less than the link gives, pacing itself hides it: what is held back fills no link. So while
// something is held, the round trip is as short as ever, no more is under way than the rate and the round
// trip explain, and what was sent at the rate has been delivered at it, the link has no queue: the rate
// doubles. A rate that was tried stays until the link turns out to be full at less; the next attempt then
// waits twice as long, but never long, and goes up by an eighth only, so that it does not overflow the queue
// before the link. With each attempt that succeeds the next goes up by twice as much again.
//
// What is tried in vain costs all who share the link. So the first attempt comes after something has been
// held for 12 round trips in all, and a quarter of the processes of a site makes it at a time.
//
// A queue may be so short that it overflows before it is seen, which costs TCP time-outs. Where segments have
// to be sent again what was tried is given up, and for a round trip a quarter less is sent, so that the queue
// drains. Then attempts rest: for half a minute where no attempt has brought more yet, so that the rate is
// about right; else for a second, and for twice as long each time, half a minute at most. Each of n processes
// rests n times as long. What a link loses now and then, whatever its load, is less.
//
// All rates are the link's: each of n processes that send at the same time gets an n-th. Time is an argument.
// Threads: one at a time. Tested by: tests/unit/learn_pace_control.cc, on a simulated link.
#pragma once

#include <optional>

#include "learn/link_estimate.h"

namespace wan {

class PaceControl {
 public:
  /// percent: of the rate of the link; 0: nothing is held. turn: which of the processes of its site it is.
  explicit PaceControl(int percent, int turn = 0) : percent_(percent), turn_(turn) {}

  /// The plan's rate of the link; nullopt: it has none, and nothing is held.
  void believe(std::optional<BytesPerSecond> rate);
  /// After estimate.see(now, demand).
  void see(const Sight& now, const LinkEstimate& estimate, PaceDemand demand);
  /// 1 or more.
  BytesPerSecond rate() const;
  /// That of the link itself, of which rate() is a part in percent.
  BytesPerSecond link_rate() const;
  /// All ranks know that the link loses what is sent at the rate that is believed: nothing more is tried for
  /// a while.
  void rest(Nanoseconds now);
  /// How often segments had to be sent again though no more than what is believed was sent, and no queue was
  /// long: the link loses what comes in bursts, or anyway.
  int losses() const { return losses_; }

 private:
  /// How long until the next attempt: twice as long after each that fails.
  struct Patience {
    Nanoseconds wait = 0, until = 0;
    void lose(Nanoseconds now, Nanoseconds first, Nanoseconds most);
  };
  BytesPerSecond base() const;
  bool is_explained(const Sight& now, Nanoseconds round_trip, int senders) const;
  bool is_delivered(const Sight& now, Nanoseconds round_trip, int senders);
  void give_way(Nanoseconds now, Nanoseconds round_trip, BytesPerSecond rate);
  void give_up(Nanoseconds now, Nanoseconds round_trip, int senders);
  void follow_losses(const Sight& now, const LinkEstimate& estimate, Nanoseconds round_trip, int senders);

  int percent_, turn_;
  std::optional<BytesPerSecond> believed_;
  BytesPerSecond demonstrated_ = 0;
  BytesPerSecond tried_ = 0;   ///< 0: nothing is
  BytesPerSecond proven_ = 0;  ///< of what was tried, what has been delivered
  std::optional<Nanoseconds> held_since_;
  Nanoseconds seen_at_ = 0, held_for_ = 0;  ///< in all, since the latest overflow
  std::optional<Sight> at_rate_;            ///< since when what is delivered was sent at the rate of now
  std::optional<Sight> losses_from_;        ///< since when they are counted
  bool had_queue_ = false;                  ///< since then
  int losses_ = 0;
  Patience doubling_, overflow_;
  int eighths_ = 8;                 ///< of the rate, by which the next attempt goes up
  Nanoseconds draining_until_ = 0;  ///< 0: it is not
  int full_runs_ = 0;
};

}  // namespace wan
