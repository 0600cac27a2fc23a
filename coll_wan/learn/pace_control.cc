// SPDX-License-Identifier: BSD-3-Clause
#include "learn/pace_control.h"

#include <algorithm>
#include <utility>

namespace wan {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000, kMillisecond = 1'000'000;
/// More than any link gives.
constexpr BytesPerSecond kUnlimited = 1'000'000'000'000;
/// Several segments: what comes in pieces has no rate in less.
constexpr Bytes kTrial = 128 << 10;
constexpr Nanoseconds kLongestDoublingWait = 200 * kMillisecond, kLongestTrialWait = 4 * kSecond;

BytesPerSecond part(BytesPerSecond rate, int percent) {
  return static_cast<BytesPerSecond>(static_cast<__int128>(rate) * percent / 100);
}

}  // namespace

void PaceControl::Patience::lose(Nanoseconds now, Nanoseconds first, Nanoseconds most) {
  wait = std::min(wait == 0 ? first : 2 * wait, most);
  until = now + wait;
}

void PaceControl::believe(std::optional<BytesPerSecond> rate) {
  if (rate == believed_) return;
  believed_ = rate;
  tried_ = 0;
  trial_.reset();
}

BytesPerSecond PaceControl::base() const {
  if (!believed_) return measured_ ? part(*measured_, percent_) : kUnlimited;
  if (measured_ && part(*measured_, 125) < *believed_) return part(*measured_, percent_);
  return part(std::max(*believed_, demonstrated_), percent_);
}

BytesPerSecond PaceControl::rate() const {
  if (percent_ == 0) return kUnlimited;
  return std::clamp<BytesPerSecond>(std::max(base(), tried_), 1, kUnlimited);
}

void PaceControl::see(const Sight& now, const LinkEstimate& estimate, Demand demand) {
  const Nanoseconds round_trip = std::max(estimate.round_trip().value_or(0), kMillisecond);
  measured_ = estimate.measured();
  demonstrated_ = estimate.demonstrated();
  if (estimate.full_runs() != full_runs_) {
    full_runs_ = estimate.full_runs();
    give_way(now.at, round_trip, estimate.latest_full());
  }
  if (demand.held && now.is_empty() && now.at >= doubling_.until) {
    tried_ = 2 * rate();
    return trial_.reset();
  }
  if (trial_) return follow_trial(now, demand);
  if (demand.held) try_more(now, round_trip, std::max(demand.senders, 1));
}

/// That one of `senders` takes for so much.
Nanoseconds PaceControl::time_of(Bytes bytes, int senders) const {
  return static_cast<Nanoseconds>(static_cast<__int128>(bytes) * kSecond * senders / rate());
}

/// The link has been full at this rate.
void PaceControl::give_way(Nanoseconds now, Nanoseconds round_trip, BytesPerSecond full) {
  if (tried_ == 0) return;
  const BytesPerSecond least = part(full, percent_);
  if (tried_ > least) {
    doubling_.lose(now, 2 * round_trip, kLongestDoublingWait);
    trying_.lose(now, 8 * round_trip, kLongestTrialWait);
    tried_ = least;
  }
  trial_.reset();
}

void PaceControl::follow_trial(const Sight& now, Demand demand) {
  Trial& trial = *trial_;
  if (!demand.held) {  // nothing has come of it
    tried_ = before_;
    return trial_.reset();
  }
  if (now.at < trial.counts_from) return;
  if (!trial.delivered) {
    trial.delivered = now.delivered;
    trial.ends += now.at - std::exchange(trial.counts_from, now.at);
    return;
  }
  if (now.at < trial.ends) return;
  const auto allowed = static_cast<Bytes>(static_cast<__int128>(tried_) * (now.at - trial.counts_from) /
                                          kSecond / trial.senders);
  if (now.delivered - *trial.delivered >= allowed - allowed / 10) {
    trying_ = {};
  } else {
    tried_ = before_;
    trying_.lose(now.at, 4 * (trial.ends - trial.counts_from), kLongestTrialWait);
  }
  trial_.reset();
}

void PaceControl::try_more(const Sight& now, Nanoseconds round_trip, int senders) {
  const bool queues = now.unsent > 0 || now.round_trip > round_trip + round_trip / 4;
  if (queues || now.at < trying_.until) return;
  before_ = tried_;
  tried_ = part(rate(), 125);
  const Nanoseconds counts_from = now.at + round_trip;
  trial_ = Trial{counts_from, counts_from + std::max(2 * round_trip, time_of(kTrial, senders)), {}, senders};
}

}  // namespace wan
