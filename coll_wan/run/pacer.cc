// SPDX-License-Identifier: BSD-3-Clause
#include "run/pacer.h"

#include <algorithm>

#include "base/rate.h"

namespace wan {

namespace {

/// The least that the queue before any link holds.
constexpr Bytes kLeastBurst = 256 << 10;
/// A brief lead: at first, and of the time for which a link has been busy. (Of a long message the beginning
/// matters less than that the link never waits for a process that has much to add up.)
constexpr Nanoseconds kFirstLead = 500'000;
constexpr Nanoseconds kPartOfBusyTime = 8;

/// Of the link's rate, for frames: the acknowledgements of as many bytes that come the other way take 2 or 3
/// in a hundred, and a queue that has come about gets shorter.
constexpr int kFramePercent = 96;
/// Frames run ahead by an eighth of a round trip, so that a queue of a quarter of what the link holds takes
/// what all processes of a site send at once.
constexpr Nanoseconds kLeadsOfRoundTrip = 8;
constexpr Nanoseconds kLeastFrameLead = kMillisecond / 2;
constexpr Bytes kPacket = 1'500;

/// As much as is on its way while an answer is awaited: a link's queue is made for that.
Bytes burst_of(BytesPerSecond rate, Nanoseconds latency) {
  return std::max(kLeastBurst, passed(rate, 2 * latency));
}

BytesPerSecond paced(BytesPerSecond rate, int percent) {
  return std::max<BytesPerSecond>(1, static_cast<BytesPerSecond>(Wide{rate} * percent / 100));
}

/// What goes now takes so much time, after what has gone before. Until when that was to take.
Nanoseconds occupy(std::atomic<Nanoseconds>& until, Nanoseconds now, Nanoseconds time) {
  Nanoseconds before = until.load(std::memory_order_relaxed);
  while (!until.compare_exchange_weak(before, std::max(before, now) + time, std::memory_order_relaxed)) {
  }
  return before;
}

}  // namespace

Nanoseconds Bucket::duration(Bytes bytes, int senders) const {
  return static_cast<Nanoseconds>(Wide{bytes} * kSecond * senders / rate_.load(std::memory_order_relaxed));
}

void Bucket::set(const Pace& pace) {
  rate_.store(pace.rate, std::memory_order_relaxed);
  burst_.store(burst_of(pace.link, pace.latency), std::memory_order_relaxed);
  frame_rate_.store(std::min(pace.rate, paced(pace.link, kFramePercent)), std::memory_order_relaxed);
  frame_lead_.store(std::max(kLeastFrameLead, 2 * pace.latency / kLeadsOfRoundTrip),
                    std::memory_order_relaxed);
}

void Bucket::adapt(Nanoseconds now, const Pace& pace) {
  const BytesPerSecond before = rate_.load(std::memory_order_relaxed);
  set(pace);
  if (before == pace.rate) return;
  for (std::atomic<Nanoseconds>* const each : {&paid_until_, &framed_until_}) {
    Nanoseconds until = each->load(std::memory_order_relaxed);
    const auto scaled = [&] {
      return now + static_cast<Nanoseconds>(Wide{until - now} * before / pace.rate);
    };
    while (until > now && !each->compare_exchange_weak(until, scaled(), std::memory_order_relaxed)) {
    }
  }
}

void Bucket::note(bool held, int senders) {
  if (held) held_.store(true, std::memory_order_relaxed);
  if (senders_.load(std::memory_order_relaxed) != senders) senders_.store(senders, std::memory_order_relaxed);
}

PaceDemand Bucket::take_demand() {
  return {held_.exchange(false, std::memory_order_relaxed), senders_.load(std::memory_order_relaxed)};
}

Nanoseconds Bucket::when(Nanoseconds now, int senders, Lead lead) const {
  const Nanoseconds paid_until = paid_until_.load(std::memory_order_relaxed),
                    full = duration(burst_.load(std::memory_order_relaxed) / senders, senders);
  const Nanoseconds brief =
      kFirstLead + (paid_until - busy_since_.load(std::memory_order_relaxed)) / kPartOfBusyTime;
  return std::max(now, paid_until - (lead == Lead::full ? full : std::min(full, brief)));
}

void Bucket::take(Nanoseconds now, Bytes bytes, int senders) {
  const Nanoseconds before = occupy(paid_until_, now, duration(bytes, senders));
  if (before <= now) busy_since_.store(now, std::memory_order_relaxed);
}

BytesPerSecond Bucket::frame_share(int senders) const {
  return std::max<BytesPerSecond>(frame_rate_.load(std::memory_order_relaxed) / senders, 1);
}

Bytes Bucket::frame_window(int senders) const {
  return passed(frame_share(senders), kLeadsOfRoundTrip * frame_lead_.load(std::memory_order_relaxed));
}

Bytes Bucket::frame_room(Nanoseconds now, int senders) {
  const BytesPerSecond share = frame_share(senders);
  const Nanoseconds time = frame_lead_.load(std::memory_order_relaxed);
  const Bytes lead = std::max(2 * kPacket, passed(share, time)),
              quantum = std::max(kPacket, passed(share, time / 4));
  const Nanoseconds ahead = framed_until_.load(std::memory_order_relaxed) - now;
  const Bytes room = ahead > 0 ? lead - passed(share, ahead) : lead;
  note(room < quantum, senders);
  return room < quantum ? 0 : room;
}

void Bucket::take_frame(Nanoseconds now, Bytes bytes, int senders) {
  occupy(framed_until_, now, time_of(bytes, frame_share(senders)));
}

Bytes LinkShare::frame_room(Nanoseconds now) const {
  const Bytes of_link = link ? link->frame_room(now, senders) : kUnlimited;
  return uplink ? std::min(of_link, uplink->frame_room(now, senders)) : of_link;
}

void LinkShare::take_frame(Nanoseconds now, Bytes bytes) const {
  if (link) link->take_frame(now, bytes, senders);
  if (uplink) uplink->take_frame(now, bytes, senders);
}

Bytes LinkShare::frame_window() const {
  const Bytes of_link = link ? link->frame_window(senders) : kUnlimited;
  return uplink ? std::min(of_link, uplink->frame_window(senders)) : of_link;
}

Bucket& Buckets::of(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  return buckets_[{from, to}];
}

Buckets& buckets() {
  static Buckets instance;
  return instance;
}

void Pacer::believe(Bucket& bucket, LearntLink* learnt, std::optional<BytesPerSecond> rate,
                    Nanoseconds latency) const {
  bucket.set(learnt != nullptr ? learnt->believe(rate, latency)
                               : Pace{paced(rate.value(), percent_), rate.value(), latency});
}

Pacer::Pacer(const Topology& topology, Rank me, int percent, Buckets& buckets, LearntLinks* learnt,
             Rates rates)
    : layout_(&topology.layout),
      here_(layout_->site_of(me)),
      percent_(percent),
      rates_(rates),
      learnt_(learnt) {
  if (learnt == nullptr && (percent == 0 || rates == Rates::unknown)) return;
  const std::string& name = layout_->site_name(here_);
  for (SiteIndex site = 0; site < layout_->sites(); ++site)
    links_.push_back(site == here_ ? nullptr : &buckets.of(name, layout_->site_name(site)));
  if (topology.network.uplink(here_)) uplink_ = &buckets.of_uplink(name);
  const auto of_site = layout_->ranks_of(here_);
  turn_ = static_cast<int>(std::ranges::find(of_site, me) - of_site.begin());
  believe(topology.network, By::statement);
}

void Pacer::believe(const Network& network, By by) const {
  const std::string& name = layout_->site_name(here_);
  const auto known = [&](BytesPerSecond rate) {
    return rates_ == Rates::stated || network.is_estimated() ? std::optional(rate) : std::nullopt;
  };
  Nanoseconds longest = 0;
  for (SiteIndex site = 0; site < static_cast<SiteIndex>(links_.size()); ++site) {
    if (site == here_) continue;
    const Link& link = network.link(here_, site);
    longest = std::max(longest, link.latency_ns);
    LearntLink* const learnt =
        learnt_ ? &learnt_->of(name, layout_->site_name(site), percent_, turn_) : nullptr;
    if (learnt != nullptr && by == By::ranks) learnt->agree(link.bandwidth_bytes_per_s);
    believe(*links_[static_cast<std::size_t>(site)], learnt, known(link.bandwidth_bytes_per_s),
            link.latency_ns);
  }
  if (uplink_ != nullptr)
    believe(*uplink_, learnt_ ? &learnt_->of_uplink(name, percent_, turn_) : nullptr,
            known(*network.uplink(here_)), longest);
}

bool Pacer::paces(Rank peer, Bytes bytes) {
  Bucket* const link = bucket_of(peer);
  if (link == nullptr || bytes >= kShortest) return link != nullptr;
  if (link->uncounted.load(std::memory_order_relaxed) + bytes >= kShortest) return true;
  link->uncounted.fetch_add(bytes, std::memory_order_relaxed);
  return false;
}

Nanoseconds Pacer::ask(Nanoseconds now, Rank peer, Bytes bytes, int senders, Lead lead) {
  Bucket* const link = bucket_of(peer);
  if (link == nullptr) return now;
  if (lead == Lead::unlimited) {
    link->note(false, senders);
    if (uplink_) uplink_->note(false, senders);
    return now;
  }
  const int shares = std::max(senders, 1);
  const Nanoseconds of_link = link->when(now, shares, lead),
                    of_uplink = uplink_ ? uplink_->when(now, shares, lead) : now;
  link->note(of_link > now, senders);
  if (uplink_) uplink_->note(of_uplink > now, senders);
  if (const Nanoseconds when = std::max(of_link, of_uplink); when > now) return when;
  bytes += link->uncounted.exchange(0, std::memory_order_relaxed);
  link->take(now, bytes, shares);
  if (uplink_) uplink_->take(now, bytes, shares);
  return now;
}

}  // namespace wan
