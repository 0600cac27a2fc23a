// SPDX-License-Identifier: BSD-3-Clause
// All that a process has learnt of the link, or the access link, to another site, and what follows from it
// for its own pacing. Threads: any. Tested by: tests/unit/learn_pace_control.cc.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "learn/link_estimate.h"
#include "learn/pace_control.h"
#include "learn/trials.h"

namespace wan {

/// What the processes of the site together are held to.
struct Pace {
  BytesPerSecond rate;
  BytesPerSecond link;  ///< the rate of the link itself
  Nanoseconds latency;  ///< half a round trip
  friend bool operator==(const Pace&, const Pace&) = default;
};

/// Is this rate less than half of the other? A plan for half the rate loses less than one that follows what a
/// busy host sees.
inline bool is_clearly_less(BytesPerSecond a, BytesPerSecond b) {
  return a < b / 2;
}

/// What one process says of a link. 0: it does not know.
struct Findings {
  BytesPerSecond full = 0;                   ///< its rate while it was full
  BytesPerSecond demonstrated = 0;           ///< it is no slower
  BytesPerSecond demonstrated_together = 0;  ///< nor than the least of several processes that know it
  Nanoseconds round_trip = 0;
  Bytes trial = 0;  ///< the process is about to try it with messages of so many bytes (learn/trials.h)
  int losses = 0;   ///< PaceControl::losses()
};

class LearntLink {
 public:
  /// See PaceControl.
  explicit LearntLink(int percent, int turn = 0) : control_(percent, turn) {}

  /// What a plan says of it; rate: nullopt if nothing.
  Pace believe(std::optional<BytesPerSecond> rate, Nanoseconds latency);
  Pace see(const Sight& now, PaceDemand demand);
  void stayed_empty_until(Nanoseconds time);
  /// All ranks agree on this rate: if it is clearly more than what this process got of the full link, that
  /// was of a time when the link was slower.
  void agree(BytesPerSecond rate);
  /// All ranks agree that it loses what one connection sends.
  void agree_on_losses(Nanoseconds now);
  Findings findings() const;
  /// Bytes of each message of the trial that this process ought to make now; 0: none.
  Bytes due_trial(Nanoseconds now, Slowdown slowdown, BytesPerSecond held, Nanoseconds round_trip);
  /// A message of a trial has been sent and answered, after so long.
  void tried(Bytes bytes, Nanoseconds time, Nanoseconds round_trip);

 private:
  Pace pace() const;

  mutable std::mutex mutex_;
  LinkEstimate estimate_;
  PaceControl control_;
  Trials trials_;
  Nanoseconds believed_latency_ = 0;
};

/// Those of one process, by the names of their sites. Threads: any.
class LearntLinks {
 public:
  /// Lives as long as this. percent, turn: see PaceControl; the first ones count.
  LearntLink& of(const std::string& from, const std::string& to, int percent, int turn);
  /// The access link of a site.
  LearntLink& of_uplink(const std::string& site, int percent, int turn) {
    return of(site, {}, percent, turn);
  }
  /// nullptr: nobody has asked of() for it.
  LearntLink* find(const std::string& from, const std::string& to);

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, LearntLink> links_;
};

/// Those of this process.
LearntLinks& learnt_links();

}  // namespace wan
