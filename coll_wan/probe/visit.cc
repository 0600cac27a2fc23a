// SPDX-License-Identifier: BSD-3-Clause
#include "probe/visit.h"

#include <algorithm>
#include <span>
#include <utility>

#include "probe/robust.h"

namespace wan::probe {
namespace {

constexpr int kGlancePings = 5, kStudyPings = 12;
/// A glance takes no longer after it has connected, whose time is the first round trip.
constexpr Nanoseconds kPingTime = 150'000'000;
/// Between pings. Delays that vary stay as they are for some time, which a study waits for.
constexpr Nanoseconds kGlancePause = 500'000, kStudyPause = 20'000'000;
/// Pings are so many to a round trip: what follows another by less may be held up by it where delays vary.
constexpr int kPingsInRoundTrip = 16;

constexpr int kVolley = 5, kMostVolleys = 4;
/// The first trains: on a link of 1 Mbit/s a volley takes 0.7 s, on one of 12.5 MB/s each train 1.3 ms.
constexpr Bytes kFirstTrain = 16 << 10;
constexpr Bytes kLongestTrain = 1 << 20;
constexpr int kGrowth = 4;
/// Between the trains of a volley where delays may change by more than a train takes: a change shall not
/// spoil all of them.
constexpr Nanoseconds kLongestTrainPause = 25'000'000;
constexpr int kTrainPauses = 8;  ///< in a round trip
/// Of so long a round trip few pings find time before the trains, so one follows each train too.
constexpr Nanoseconds kLong = 100'000'000;
/// Trains are not sent where hosts are so near: they are in one site.
constexpr Nanoseconds kNear = 500'000;

/// What so many bytes take to pass a direction, by the trains that have; 0: not known.
Nanoseconds spread_of(Bytes bytes, std::span<const Train> trains) {
  const auto rate = train_rate(trains);
  return rate ? static_cast<Nanoseconds>(1e9 * static_cast<double>(bytes) / static_cast<double>(*rate)) : 0;
}

/// Is the rate told by these trains?
bool tells(std::span<const Train> trains) {
  Bytes most = 0;
  for (const Train& train : trains) most = std::max(most, train.bytes);
  return spread_of(most, trains) >= kTellingSpread;
}

/// The next train after these.
Bytes next_bytes(Bytes bytes, std::span<const Train> trains) {
  if (bytes == 0) return kFirstTrain;
  return tells(trains) ? bytes : std::min(kLongestTrain, kGrowth * bytes);
}

}  // namespace

void Visit::connected(Nanoseconds now_ns, Nanoseconds round_trip_ns) {
  is_connected_ = true;
  connected_ns_ = next_ping_ns_ = now_ns;
  round_trip_ns_ = round_trip_ns;
  finding_.round_trips.push_back(round_trip_ns);
}

void Visit::answered(Nanoseconds round_trip_ns) {
  ++answers_;
  round_trip_ns_ = std::min(round_trip_ns_, round_trip_ns);
  finding_.round_trips.push_back(round_trip_ns);
}

void Visit::crossed(const Train& there, const Train& back) {
  ++trains_back_;
  finding_.there.push_back(there);
  finding_.back.push_back(back);
}

Visit::Action Visit::wait_until(Nanoseconds time_ns) const {
  return {Act::wait, 0, 0, std::min(time_ns, deadline_ns_)};
}

Visit::Action Visit::next(Nanoseconds now_ns) {
  if (now_ns >= deadline_ns_) return {Act::finish};
  if (!is_connected_) return wait_until(deadline_ns_);
  if (std::exchange(follows_train_, false)) {
    ++pings_sent_;
    return {Act::ping};
  }
  if (pings_sent_ < most_pings() && has_time_for_ping(now_ns)) return next_ping(now_ns);
  if (errand_.depth == Depth::study && round_trip_ns_ >= kNear) return next_train(now_ns);
  const Nanoseconds end = connected_ns_ + kPingTime;
  return answers_ == pings_sent_ || now_ns >= end ? Action{Act::finish} : wait_until(end);
}

int Visit::most_pings() const {
  return errand_.depth == Depth::glance ? kGlancePings : kStudyPings;
}

/// A study keeps time for a volley: two more round trips after the last ping has left.
bool Visit::has_time_for_ping(Nanoseconds now_ns) const {
  if (errand_.depth == Depth::glance) return now_ns + round_trip_ns_ <= connected_ns_ + kPingTime;
  return pings_sent_ < 2 || now_ns + round_trip_ns_ + round_trip_ns_ / 4 <= deadline_ns_;
}

Visit::Action Visit::next_ping(Nanoseconds now_ns) {
  if (now_ns < next_ping_ns_) return wait_until(next_ping_ns_);
  next_ping_ns_ = now_ns + std::max(errand_.depth == Depth::glance ? kGlancePause : kStudyPause,
                                    round_trip_ns_ / kPingsInRoundTrip);
  ++pings_sent_;
  return {Act::ping};
}

bool Visit::knows_enough() const {
  return volleys_ == kMostVolleys || (tells(finding_.there) && tells(finding_.back));
}

/// A volley takes a round trip, and as long as its bytes take in both directions.
bool Visit::has_time_for_volley(Nanoseconds now_ns) const {
  if (volleys_ == 0) return true;
  const Nanoseconds there = spread_of(kVolley * next_bytes(train_there_, finding_.there), finding_.there);
  const Nanoseconds back = spread_of(kVolley * next_bytes(train_back_, finding_.back), finding_.back);
  return now_ns + round_trip_ns_ + there + back <= deadline_ns_;
}

void Visit::begin_volley() {
  train_there_ = next_bytes(train_there_, finding_.there);
  train_back_ = next_bytes(train_back_, finding_.back);
  ++volleys_;
  trains_left_ = kVolley;
}

/// When the next train may leave. Nobody's turn comes too late for an answer.
Nanoseconds Visit::train_time() const {
  if (trains_sent_ > 0) return next_train_ns_;
  const Nanoseconds latest = deadline_ns_ - round_trip_ns_ - round_trip_ns_ / 4;
  return next_ping_ns_ + std::clamp<Nanoseconds>(latest - next_ping_ns_, 0, errand_.patience_ns);
}

Visit::Action Visit::next_train(Nanoseconds now_ns) {
  if (now_ns < train_time()) return wait_until(train_time());
  if (trains_left_ == 0) {
    if (trains_back_ < trains_sent_) return wait_until(deadline_ns_);
    if (knows_enough() || !has_time_for_volley(now_ns)) return {Act::finish};
    begin_volley();
  }
  --trains_left_;
  ++trains_sent_;
  next_train_ns_ = now_ns + std::min(kLongestTrainPause, round_trip_ns_ / kTrainPauses);
  follows_train_ = round_trip_ns_ >= kLong;
  return {Act::train, train_there_, train_back_, 0};
}

}  // namespace wan::probe
