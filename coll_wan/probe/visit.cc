// SPDX-License-Identifier: BSD-3-Clause
#include "probe/visit.h"

#include <algorithm>
#include <span>

#include "probe/robust.h"

namespace wan::probe {
namespace {

constexpr int kGlancePings = 5, kStudyPings = 12;
/// Of a study whose round trips scatter.
constexpr int kMostPings = 40;
/// A glance takes no longer after it has connected, whose time is the first round trip.
constexpr Nanoseconds kPingTime = 150'000'000;
/// Between pings. Delays that vary stay as they are for some time, which a study waits for.
constexpr Nanoseconds kGlancePause = 500'000, kStudyPause = 20'000'000;
/// Pings are so many to a round trip: what follows another by less may be held up by it where delays vary.
constexpr int kPingsInRoundTrip = 16;

constexpr int kVolley = 5, kMostVolleys = 6;
/// The first trains: on a link of 1 Mbit/s a volley takes 0.7 s, on one of 12.5 MB/s each train 1.3 ms.
constexpr Bytes kFirstTrain = 16 << 10;
constexpr Bytes kLongestTrain = 1 << 20;
constexpr int kGrowth = 4;
/// Between the trains of a volley where delays may change by more than a train takes: a change shall not
/// spoil all of them.
constexpr Nanoseconds kLongestTrainPause = 25'000'000;
constexpr int kTrainPauses = 8;  ///< in a round trip
/// Trains are not sent where hosts are so near: they are in one site.
constexpr Nanoseconds kNear = 500'000;

/// What so many bytes take to pass a direction, by the trains that have; 0: not known.
Nanoseconds spread_of(Bytes bytes, std::span<const Train> trains) {
  const auto rate = train_rate(trains);
  return rate ? static_cast<Nanoseconds>(1e9 * static_cast<double>(bytes) / static_cast<double>(*rate)) : 0;
}

/// Is the spread of the longest of these trains long beside what clocks make of it?
bool are_long(std::span<const Train> trains) {
  Bytes most = 0;
  for (const Train& train : trains) most = std::max(most, train.bytes);
  return spread_of(most, trains) >= kTellingSpread;
}

bool tells(std::span<const Train> trains) {
  return are_long(trains) && agree_on_rate(trains);
}

/// The trains of the next volley, after these.
Bytes next_bytes(Bytes bytes, std::span<const Train> trains) {
  if (bytes == 0) return kFirstTrain;
  return are_long(trains) ? bytes : std::min(kLongestTrain, kGrowth * bytes);
}

/// What is sent of them: only so that the other host answers where that direction is told, which may be slow.
Bytes sent_bytes(Bytes bytes, std::span<const Train> trains) {
  return tells(trains) ? kLeastTrain : bytes;
}

}  // namespace

void Visit::connected(Nanoseconds now_ns, Nanoseconds round_trip_ns) {
  is_connected_ = true;
  connected_ns_ = next_ping_ns_ = now_ns;
  round_trip_ns_ = round_trip_ns;
  finding_.round_trips.push_back(round_trip_ns);
  prepare_volley();
}

void Visit::answered(Nanoseconds round_trip_ns) {
  ++answers_;
  round_trip_ns_ = std::min(round_trip_ns_, round_trip_ns);
  finding_.round_trips.push_back(round_trip_ns);
}

void Visit::remembered(Nanoseconds round_trip_ns) {
  finding_.round_trips.push_back(round_trip_ns);
}

void Visit::crossed(const Train& there, const Train& back) {
  ++trains_back_;
  finding_.there.push_back(there);
  finding_.back.push_back(back);
  if (trains_left_ == 0 && trains_back_ == trains_sent_) prepare_volley();
}

Visit::Action Visit::wait_until(Nanoseconds time_ns) const {
  return {Act::wait, 0, 0, std::min(time_ns, deadline_ns_)};
}

Visit::Action Visit::next(Nanoseconds now_ns) {
  if (now_ns >= deadline_ns_) return {Act::finish};
  if (!is_connected_) return wait_until(deadline_ns_);
  return errand_.depth == Depth::glance ? next_of_glance(now_ns) : next_of_study(now_ns);
}

Visit::Action Visit::next_of_glance(Nanoseconds now_ns) {
  const Nanoseconds end = connected_ns_ + kPingTime;
  if (pings_sent_ < kGlancePings && now_ns + round_trip_ns_ <= end) return next_ping(now_ns, kGlancePause);
  return answers_ == pings_sent_ || now_ns >= end ? Action{Act::finish} : wait_until(end);
}

/// Pings, and beside them trains when it is their turn.
Visit::Action Visit::next_of_study(Nanoseconds now_ns) {
  const Action train = round_trip_ns_ >= kNear ? next_train(now_ns) : Action{Act::finish};
  if (train.act == Act::train) return train;
  if (wants_ping(now_ns)) {
    const Action ping = next_ping(now_ns, kStudyPause);
    if (ping.act == Act::ping || train.act == Act::finish) return ping;
    return wait_until(std::min(ping.until_ns, train.until_ns));
  }
  return train.act == Act::finish && !is_answered() ? wait_until(deadline_ns_) : train;
}

/// Near hosts are in one site, however their round trips scatter.
bool Visit::wants_ping(Nanoseconds now_ns) const {
  const bool scatters = round_trip_ns_ >= kNear && scatter(finding_.round_trips);
  const bool has_time = pings_sent_ < 2 || now_ns + longest_round_trip() <= deadline_ns_;
  return pings_sent_ < (scatters ? kMostPings : kStudyPings) && has_time;
}

Nanoseconds Visit::longest_round_trip() const {
  return round_trip_ns_ + round_trip_ns_ / 4;
}

Nanoseconds Visit::pause(Nanoseconds least) const {
  return std::max(least, round_trip_ns_ / kPingsInRoundTrip);
}

Visit::Action Visit::next_ping(Nanoseconds now_ns, Nanoseconds least_pause) {
  if (now_ns < next_ping_ns_) return wait_until(next_ping_ns_);
  next_ping_ns_ = now_ns + pause(least_pause);
  ++pings_sent_;
  return {Act::ping};
}

bool Visit::knows_enough() const {
  return volleys_ == kMostVolleys || (tells(finding_.there) && tells(finding_.back));
}

void Visit::prepare_volley() {
  train_there_ = next_bytes(train_there_, finding_.there);
  train_back_ = next_bytes(train_back_, finding_.back);
  sent_there_ = sent_bytes(train_there_, finding_.there);
  sent_back_ = sent_bytes(train_back_, finding_.back);
}

/// A volley takes a round trip, and as long as its bytes take in both directions.
bool Visit::has_time_for_volley(Nanoseconds now_ns) const {
  if (volleys_ == 0) return true;
  const Nanoseconds there = spread_of(kVolley * sent_there_, finding_.there),
                    back = spread_of(kVolley * sent_back_, finding_.back);
  return now_ns + round_trip_ns_ + there + back <= deadline_ns_;
}

/// What is left for a volley after the answer to its last train has its time.
Nanoseconds Visit::train_pause() const {
  const Nanoseconds left = std::max<Nanoseconds>(0, deadline_ns_ - longest_round_trip() - connected_ns_);
  return std::min({kLongestTrainPause, round_trip_ns_ / kTrainPauses, left / (kVolley - 1)});
}

/// When the next train may leave: the first after the usual pings, when it is its turn, but early enough for
/// the answers to all of its volley.
Nanoseconds Visit::train_time() const {
  if (trains_sent_ > 0) return next_train_ns_;
  const Nanoseconds latest = deadline_ns_ - longest_round_trip() - (kVolley - 1) * train_pause();
  const Nanoseconds turn = connected_ns_ + kStudyPings * pause(kStudyPause) + errand_.patience_ns;
  return std::max(connected_ns_, std::min(turn, latest));
}

Visit::Action Visit::next_train(Nanoseconds now_ns) {
  if (now_ns < train_time()) return wait_until(train_time());
  if (trains_left_ == 0) {
    if (trains_back_ < trains_sent_) return wait_until(deadline_ns_);
    if (knows_enough() || !has_time_for_volley(now_ns)) return {Act::finish};
    ++volleys_;
    trains_left_ = kVolley;
  }
  --trains_left_;
  ++trains_sent_;
  next_train_ns_ = now_ns + train_pause();
  return {Act::train, sent_there_, sent_back_, 0};
}

}  // namespace wan::probe
