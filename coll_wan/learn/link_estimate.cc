// SPDX-License-Identifier: BSD-3-Clause
#include "learn/link_estimate.h"

#include <algorithm>

#include "base/time.h"

namespace wan {
namespace {

/// A shorter run says nothing: it is seen every few milliseconds.
constexpr Nanoseconds kShortestRun = 8 * kMillisecond;
/// From the first answer to the last: what was late before the first counts for little.
constexpr Nanoseconds kShortestAnswers = 16 * kMillisecond;
/// Between two sights of a run, and a quarter of a round trip.
constexpr Nanoseconds kLongestBlind = 6 * kMillisecond;
/// Longer ones are cut into such pieces.
constexpr Nanoseconds kShortestPiece = 200 * kMillisecond;
/// So are longer uses: in a part of a call not all that send in it may do so.
constexpr Nanoseconds kPieceOfUse = 2 * kSecond;
constexpr Bytes kLeastPiece = 256 << 10;
constexpr int kRoundTripsOfPiece = 10;
/// Less under way may wait for the other host's delayed acknowledgement, which says nothing of the link.
constexpr Bytes kLeastUnderWay = 16 << 10;

Bytes outstanding(const Sight& sight) {
  return sight.unsent + sight.under_way;
}

/// Given to the sockets since these exist.
Bytes handed_over(const Sight& sight) {
  return sight.delivered + outstanding(sight);
}

BytesPerSecond rate_of(Bytes bytes, Nanoseconds time) {
  return static_cast<BytesPerSecond>(Wide{bytes} * kSecond / time);
}

/// More than the part of noise above it.
bool is_longer(Nanoseconds time, Nanoseconds least) {
  return time > least + least / 8 + kMillisecond / 4;
}

}  // namespace

void LinkEstimate::begin_anew(const Sight& now) {
  last_ = now;
  run_.reset();
  use_.reset();
  answers_.reset();
  queue_.reset();
  handed_.assign(1, {now.at, handed_over(now)});
  beginning_.reset();
  is_unanswered_ = false;
  lower_round_trip(now);
}

void LinkEstimate::stayed_empty_until(Nanoseconds time) {
  if (last_ && last_->is_empty() && time > last_->at) last_->at = time;
}

void LinkEstimate::forget_full_below(BytesPerSecond rate) {
  if (measured().value_or(rate) < rate) full_.clear();
  if (congested().value_or(rate) < rate) congested_.clear();
}

void LinkEstimate::see(const Sight& now, PaceDemand demand) {
  filled_ = 0;
  if (!last_ || last_->sockets != now.sockets || now.delivered < last_->delivered) return begin_anew(now);
  lower_round_trip(now);
  follow_beginning(now);
  // Who did not look cannot tell what waited in the network from what waited to be looked at.
  if (now.at - last_->at > kLongestBlind + round_trip_.value_or(0) / 4) {
    run_.reset();
    queue_.reset();
  } else {
    follow_run(now, demand);
    follow_queue(now, demand);
  }
  follow_use(now, demand);
  follow_handing(now, demand.held);
  if (now.delivered > last_->delivered) delivered_at_ = now.at;
  last_ = now;
}

/// What TCP remembers is of no use once the round trip has been found to be longer, until that is forgotten.
/// Then what it smooths is taken while that falls: while it rises it has yet to reach what it is about.
void LinkEstimate::lower_round_trip(const Sight& now) {
  Nanoseconds seen = round_trip_.value_or(0);
  const auto take = [&](Nanoseconds time) { seen = seen == 0 ? time : std::min(seen, time); };
  if (now.least_round_trip > 0 && now.least_round_trip != remembered_) {
    take(now.least_round_trip);
    remembered_ = 0;
  }
  const bool answered = last_ && now.delivered > last_->delivered && now.round_trip > 0;
  if (remembered_ > 0 && answered && now.round_trip <= smoothed_) take(now.round_trip);
  if (now.round_trip > 0) smoothed_ = now.round_trip;
  if (seen > 0) round_trip_ = seen;
}

void LinkEstimate::follow_beginning(const Sight& now) {
  if (!beginning_) {
    if (now.delivered != last_->delivered || now.is_empty())
      is_unanswered_ = false;
    else if (last_->is_empty())
      is_unanswered_ = true;
    if (is_unanswered_ && outstanding(now) >= kLeastUnderWay)
      beginning_ = Beginning{last_->at, now.at, now.delivered, now.sent_again};
    return;
  }
  const Beginning begun = *beginning_;
  if (now.delivered == begun.delivered && now.sent_again == begun.sent_again && !now.is_empty()) return;
  beginning_.reset();
  is_unanswered_ = false;
  if (now.sent_again == begun.sent_again) answered(last_->at - begun.seen_at, now.at - begun.before);
}

/// The first answer has taken so long; nothing is learnt by who did not look closely.
void LinkEstimate::answered(Nanoseconds at_least, Nanoseconds at_most) {
  if (!round_trip_ || at_most - at_least > std::max(at_most / 3, 4 * kMillisecond)) return;
  first_answers_.add((at_least + at_most) / 2);
  if (!first_answers_.is_complete() ||
      first_answers_.least() <= *round_trip_ + *round_trip_ / 5 + kMillisecond)
    return;
  round_trip_ = first_answers_.least();
  remembered_ = last_->least_round_trip;
  first_answers_.clear();
  forget_queues();
}

/// They were none: the round trip is longer than was thought.
void LinkEstimate::forget_queues() {
  run_.reset();
  queue_.reset();
  full_.clear();
  congested_.clear();
}

void LinkEstimate::follow_handing(const Sight& now, bool held) {
  while (handed_.size() > 1 && handed_[1].until <= now.delivered) handed_.pop_front();
  if (held) handed_.back().held_after = true;
  if (handed_over(now) > handed_.back().until) handed_.push_back({now.at, handed_over(now)});
}

/// When this byte, the last of those that are or one that is not delivered yet, was handed over.
std::deque<LinkEstimate::Handing>::const_iterator LinkEstimate::handing_of(Bytes byte) const {
  return std::ranges::find_if(handed_, [&](const Handing& each) { return each.until >= byte; });
}

/// What has just been delivered.
bool LinkEstimate::has_waited(const Sight& now) const {
  const Nanoseconds least = round_trip_.value_or(0);
  const auto with = handing_of(now.delivered);
  return least > 0 && with != handed_.end() && now.at - with->at > least + least / 4 + 2 * kMillisecond;
}

/// With what has just been delivered, and has waited: from when that would have been without a queue, or from
/// what was delivered before.
void LinkEstimate::begin_run(const Sight& now, PaceDemand demand) {
  extend(run_, *last_, demand);
  const auto with = handing_of(last_->delivered + 1);
  if (with != handed_.end())
    run_->first.at = std::min(run_->first.at, std::max(with->at + *round_trip_, delivered_at_));
  extend(run_, now, demand);
}

/// What was last delivered: was that all that there was, for a while?
bool LinkEstimate::has_run_out() const {
  const Nanoseconds least = round_trip_.value_or(0);
  auto with =
      std::ranges::find_if(handed_, [&](const Handing& each) { return each.until >= run_->last.delivered; });
  if (with == handed_.end() || with->held_after) return false;
  const auto next = std::next(with);
  return next == handed_.end() || next->at - with->at >= least / 4 + 4 * kMillisecond;
}

bool LinkEstimate::is_long(const Stretch& stretch, Nanoseconds piece) const {
  return stretch.length() >= std::max(piece, kRoundTripsOfPiece * round_trip_.value_or(0)) &&
         stretch.delivered() >= kLeastPiece;
}

void LinkEstimate::extend(std::optional<Stretch>& stretch, const Sight& now, PaceDemand demand) const {
  if (!stretch) stretch = Stretch{now, now, false, false, demand.senders};
  if (now.delivered > stretch->last.delivered) stretch->last = now;
  if (is_longer(now.round_trip, round_trip_.value_or(0))) stretch->has_delay = true;
  if (demand.held) stretch->was_held = true;
  if (demand.senders != stretch->senders) stretch->senders = 0;
}

void LinkEstimate::follow_run(const Sight& now, PaceDemand demand) {
  const bool delivers = now.delivered > last_->delivered, waited = delivers && has_waited(now);
  if (run_ && delivers && !waited) end_run(has_run_out());
  if (run_) {
    extend(run_, now, demand);
  } else if (waited) {
    begin_run(now, demand);
  }
  if (!run_) return;
  if (now.is_empty()) return end_run(has_run_out());
  if (!is_long(*run_, kShortestPiece)) return;
  const Bytes handed = handed_over(run_->last) - handed_over(run_->first);
  end_run(!run_->was_held || handed > run_->delivered() + run_->delivered() / 4);
  extend(run_, now, demand);
}

void LinkEstimate::end_run(bool is_full) {
  const Stretch run = *run_;
  run_.reset();
  const bool delayed = run.has_delay || run.last.sent_again > run.first.sent_again;
  if (is_full && delayed && !run.was_held_by_hosts() && run.delivered() >= kLeastUnderWay &&
      run.length() >= std::max(kShortestRun, *round_trip_ / 2))
    learn_full(rate_of(run.delivered(), run.length()), run.senders);
}

/// From when something is handed over until all is delivered, or a piece of it.
void LinkEstimate::follow_use(const Sight& now, PaceDemand demand) {
  if (!use_ && last_->is_empty() && now.is_empty()) return;
  if (!use_) use_ = Stretch{*last_, *last_, false, false, demand.senders};
  extend(use_, now, demand);
  if (!answers_ && now.delivered > last_->delivered) answers_ = now;
  const bool whole = now.is_empty();
  if (!whole && !is_long(*use_, kPieceOfUse)) return;
  end_use();
  if (!whole) extend(use_, now, demand);
}

void LinkEstimate::end_use() {
  const Stretch use = *use_;
  const Sight first_answer = answers_.value_or(use.last);
  use_.reset();
  answers_.reset();
  // What was late before the first answer came with it, and after it.
  const Nanoseconds begun = std::min(first_answer.at, use.first.at + round_trip_.value_or(0)),
                    answering = use.last.at - begun;
  BytesPerSecond rate = 0;
  if (use.length() >= kShortestRun) rate = rate_of(use.delivered(), use.length());
  if (answering >= kShortestAnswers)
    rate = std::max(rate, rate_of(use.last.delivered - first_answer.delivered, answering));
  if (rate > 0) learn_bounds(rate, use.senders);
  if (use.was_held || use.has_delay) filled_ = rate * std::max(use.senders, 1);
}

bool LinkEstimate::has_queue(const Sight& now) const {
  const Nanoseconds least = round_trip_.value_or(0);
  return least > 0 && now.under_way >= kLeastUnderWay && now.round_trip > least + least / 2 + kMillisecond;
}

void LinkEstimate::follow_queue(const Sight& now, PaceDemand demand) {
  if (!has_queue(now)) return end_queue();
  if (!queue_) queue_ = Stretch{now, now, false, false, demand.senders};
  extend(queue_, now, demand);
  if (is_long(*queue_, kShortestPiece)) end_queue();
}

void LinkEstimate::end_queue() {
  if (!queue_) return;
  const Stretch queue = *queue_;
  queue_.reset();
  if (queue.was_held_by_hosts() || queue.senders == 0 ||
      queue.length() < std::max(kShortestRun, 2 * *round_trip_))
    return;
  congested_.add(rate_of(queue.delivered(), queue.length()) * queue.senders);
  if (const auto rate = congested()) refute_bounds(*rate);
}

std::optional<BytesPerSecond> LinkEstimate::congested() const {
  if (congested_.size() < kCongestedNeeded) return std::nullopt;
  return congested_.second_highest();
}

void LinkEstimate::learn_full(BytesPerSecond share, int senders) {
  if (senders == 0) return;
  latest_full_ = share * senders;
  full_.add(latest_full_);
  ++full_runs_;
  refute_bounds(latest_full_);
}

void LinkEstimate::refute_bounds(BytesPerSecond rate) {
  alone_.refute(rate);
  if (together_.refute(rate)) shares_.clear();
}

void LinkEstimate::learn_bounds(BytesPerSecond rate, int senders) {
  alone_.attain(rate);
  if (senders == 0) return;
  shares_.add(rate * senders);
  if (shares_.is_complete() && rate * senders >= shares_.median()) together_.attain(shares_.median());
}

void LinkEstimate::Bound::attain(BytesPerSecond rate) {
  if (rate >= twice_ - twice_ / 5) refuted_ = 0;
  if (rate <= twice_) return;
  twice_ = std::min(rate, once_);
  once_ = std::max(rate, once_);
}

bool LinkEstimate::Bound::refute(BytesPerSecond rate) {
  if (rate >= twice_ - twice_ / 5 || ++refuted_ < kFullNeeded) return false;
  twice_ = once_ = rate;
  refuted_ = 0;
  return true;
}

std::optional<BytesPerSecond> LinkEstimate::measured() const {
  if (full_.size() < kFullNeeded) return std::nullopt;
  const BytesPerSecond median = full_.median(), bound = std::max(alone_.rate(), together_.rate());
  return bound > median + median / 4 ? bound : median;
}

}  // namespace wan
