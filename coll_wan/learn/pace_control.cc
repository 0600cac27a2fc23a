// SPDX-License-Identifier: BSD-3-Clause
#include "learn/pace_control.h"

#include <algorithm>

#include "base/rate.h"

namespace wan {
namespace {

/// More than any link gives.
constexpr BytesPerSecond kNoLimit = 1'000'000'000'000;
/// What may be under way though the link has no queue: what is sent in pieces comes in pieces.
constexpr Bytes kSegments = 32 << 10;
/// Answers come in lumps.
constexpr Nanoseconds kShortestSeen = 8 * kMillisecond;
constexpr Nanoseconds kLongestPatience = 200 * kMillisecond;

/// Round trips for which something is held, in all, before a first attempt. Each of so many parts of the
/// processes that send over the link makes its own at another time.
constexpr int kFirstAttempt = 12, kBetweenParts = 24, kParts = 4;
/// Segments that are sent again within two round trips, or kLeastLosing: a queue has overflowed.
constexpr std::int64_t kLosses = 2;
constexpr Nanoseconds kLeastLosing = 100 * kMillisecond, kFirstRest = kSecond, kLongestRest = 30 * kSecond;

BytesPerSecond part(BytesPerSecond rate, int percent) {
  return static_cast<BytesPerSecond>(Wide{rate} * percent / 100);
}

}  // namespace

void PaceControl::Patience::lose(Nanoseconds now, Nanoseconds first, Nanoseconds most) {
  wait = std::min(wait == 0 ? first : 2 * wait, most);
  until = now + wait;
}

void PaceControl::believe(std::optional<BytesPerSecond> rate) {
  if (rate == believed_) return;
  believed_ = rate;
  tried_ = proven_ = 0;
  overflow_ = {};
}

BytesPerSecond PaceControl::base() const {
  if (!believed_) return kNoLimit;
  return part(std::max(*believed_, demonstrated_), percent_);
}

BytesPerSecond PaceControl::rate() const {
  if (percent_ == 0) return kNoLimit;
  const BytesPerSecond rate = std::max(base(), tried_);
  return std::clamp<BytesPerSecond>(draining_until_ > 0 ? rate - rate / 4 : rate, 1, kNoLimit);
}

BytesPerSecond PaceControl::link_rate() const {
  return percent_ == 0 ? rate() : static_cast<BytesPerSecond>(Wide{rate()} * 100 / percent_);
}

void PaceControl::see(const Sight& now, const LinkEstimate& estimate, PaceDemand demand) {
  if (percent_ == 0) return;
  const Nanoseconds round_trip = std::max(estimate.round_trip().value_or(0), kMillisecond);
  demonstrated_ = estimate.demonstrated();
  if (now.at >= draining_until_) draining_until_ = 0;
  const int senders = std::max(demand.senders, 1);
  follow_losses(now, estimate, round_trip, senders);
  if (estimate.full_runs() != full_runs_) {
    full_runs_ = estimate.full_runs();
    give_way(now.at, round_trip, part(estimate.latest_full(), percent_));
  }
  if (!demand.held) {
    held_since_.reset();
    at_rate_.reset();
    return;
  }
  if (!held_since_) held_since_ = seen_at_ = now.at;
  held_for_ += now.at - seen_at_;
  seen_at_ = now.at;
  const int turn = turn_ % std::min(senders, kParts);
  if (tried_ == 0 && held_for_ < (kFirstAttempt + turn * kBetweenParts) * round_trip) return;
  // What goes at this rate is not delivered before.
  if (now.at < std::max({*held_since_ + round_trip, doubling_.until, overflow_.until})) return;
  if (!is_delivered(now, round_trip, senders)) return;
  if (estimate.has_queue(now) || !is_explained(now, round_trip, senders)) return;
  proven_ = tried_;
  tried_ = rate() + rate() / 8 * eighths_;
  eighths_ = std::min(2 * eighths_, 8);
  at_rate_.reset();
  doubling_.until = now.at + round_trip;
}

/// Has what the link gives at this rate to one of `senders` been delivered in the latest round trip?
bool PaceControl::is_delivered(const Sight& now, Nanoseconds round_trip, int senders) {
  if (!at_rate_ || at_rate_->sockets != now.sockets) at_rate_ = now;
  const Nanoseconds time = now.at - at_rate_->at;
  if (time < std::max(round_trip, kShortestSeen)) return false;
  const Bytes sent = passed(link_rate(), time) / senders;
  const Bytes late = std::max(sent / 8, kSegments / 4);
  const bool is_enough = now.delivered - at_rate_->delivered >= sent - late;
  at_rate_ = now;
  return is_enough;
}

/// Is no more under way than the rate of one of `senders` and the round trip explain, and a few segments?
bool PaceControl::is_explained(const Sight& now, Nanoseconds round_trip, int senders) const {
  const Bytes under_way = passed(rate(), round_trip + round_trip / 4) / senders;
  return now.unsent == 0 && now.under_way <= under_way + kSegments;
}

/// More than this was tried in vain.
void PaceControl::give_way(Nanoseconds now, Nanoseconds round_trip, BytesPerSecond rate) {
  if (tried_ <= rate) return;
  tried_ = rate;
  eighths_ = 1;
  doubling_.lose(now, 2 * round_trip, kLongestPatience);
}

void PaceControl::rest(Nanoseconds now) {
  tried_ = proven_ = 0;
  overflow_.until = std::max(overflow_.until, now + kLongestRest * kParts);
}

void PaceControl::follow_losses(const Sight& now, const LinkEstimate& estimate, Nanoseconds round_trip,
                                int senders) {
  const bool is_same = losses_from_ && losses_from_->sockets == now.sockets;
  had_queue_ |= estimate.has_queue(now);
  if (is_same && now.sent_again - losses_from_->sent_again >= kLosses) {
    if (!had_queue_ && tried_ <= base()) ++losses_;
    if (believed_) give_up(now.at, round_trip, senders);
  } else if (is_same && now.at - losses_from_->at <= std::max(2 * round_trip, kLeastLosing)) {
    return;
  }
  losses_from_ = now;
  had_queue_ = false;
}

/// What was tried overflows a queue.
void PaceControl::give_up(Nanoseconds now, Nanoseconds round_trip, int senders) {
  const bool is_first = proven_ <= base();
  tried_ = proven_ = 0;
  at_rate_.reset();
  eighths_ = 1;
  if (overflow_.until <= now)
    overflow_.lose(now, (is_first ? kLongestRest : kFirstRest) * senders, kLongestRest * senders);
  draining_until_ = now + round_trip;
  held_for_ = 0;
}

}  // namespace wan
