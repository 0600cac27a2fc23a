// SPDX-License-Identifier: BSD-3-Clause
#include "learn/learnt_link.h"

#include <algorithm>

#include "base/time.h"

namespace wan {

Pace LearntLink::pace() const {
  const auto round_trip = estimate_.round_trip();
  return {control_.rate(), control_.link_rate(), round_trip ? *round_trip / 2 : believed_latency_};
}

Pace LearntLink::believe(std::optional<BytesPerSecond> rate, Nanoseconds latency) {
  const std::lock_guard lock(mutex_);
  control_.believe(rate);
  believed_latency_ = latency;
  return pace();
}

Pace LearntLink::see(const Sight& now, PaceDemand demand) {
  const std::lock_guard lock(mutex_);
  estimate_.see(now, demand);
  control_.see(now, estimate_, demand);
  trials_.filled(estimate_.filled());
  return pace();
}

void LearntLink::stayed_empty_until(Nanoseconds time) {
  const std::lock_guard lock(mutex_);
  estimate_.stayed_empty_until(time);
}

void LearntLink::agree(BytesPerSecond rate) {
  const std::lock_guard lock(mutex_);
  estimate_.forget_full_below(rate / 2);
}

void LearntLink::agree_on_losses(Nanoseconds now) {
  const std::lock_guard lock(mutex_);
  control_.rest(now);
}

Findings LearntLink::findings() const {
  const std::lock_guard lock(mutex_);
  // What the pacing goes by fills no link any more, so it shows no queue either.
  return {.full = lesser(estimate_.congested().value_or(0), estimate_.measured().value_or(0)),
          .demonstrated = estimate_.demonstrated(),
          .demonstrated_together = estimate_.demonstrated_together(),
          .round_trip = estimate_.round_trip().value_or(0),
          .losses = control_.losses()};
}

Bytes LearntLink::due_trial(Nanoseconds now, Slowdown slowdown, BytesPerSecond held, Nanoseconds round_trip) {
  const std::lock_guard lock(mutex_);
  return trials_.due(now, slowdown, held, round_trip);
}

/// A round trip of it is its answer's. That may be believed to be too long, so it counts for half at most.
void LearntLink::tried(Bytes bytes, Nanoseconds time, Nanoseconds round_trip) {
  const std::lock_guard lock(mutex_);
  const Nanoseconds sending = std::max({time - round_trip, time / 2, Nanoseconds{1}});
  trials_.made();
  estimate_.attained(static_cast<BytesPerSecond>(Wide{bytes} * kSecond / sending));
}

LearntLink& LearntLinks::of(const std::string& from, const std::string& to, int percent, int turn) {
  const std::lock_guard lock(mutex_);
  return links_.try_emplace({from, to}, percent, turn).first->second;
}

LearntLink* LearntLinks::find(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  const auto found = links_.find({from, to});
  return found == links_.end() ? nullptr : &found->second;
}

LearntLinks& learnt_links() {
  static LearntLinks instance;
  return instance;
}

}  // namespace wan
