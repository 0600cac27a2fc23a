// SPDX-License-Identifier: BSD-3-Clause
#include "run/pacer.h"

#include <algorithm>

namespace wan {

namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;
/// The least that the queue before any link holds.
constexpr Bytes kLeastBurst = 256 << 10;
/// A brief lead: at first, and of the time for which a link has been busy. (Of a long message the beginning
/// matters less than that the link never waits for a process that has much to add up.)
constexpr Nanoseconds kFirstLead = 500'000;
constexpr Nanoseconds kPartOfBusyTime = 8;

/// As much as is on its way while an answer is awaited: a link's queue is made for that.
Bytes burst_of(BytesPerSecond rate, Nanoseconds latency) {
  return std::max(kLeastBurst, static_cast<Bytes>(static_cast<__int128>(rate) * 2 * latency / kSecond));
}

BytesPerSecond paced(BytesPerSecond rate, int percent) {
  return std::max<BytesPerSecond>(1,
                                  static_cast<BytesPerSecond>(static_cast<__int128>(rate) * percent / 100));
}

}  // namespace

Nanoseconds Bucket::duration(Bytes bytes, int senders) const {
  return static_cast<Nanoseconds>(static_cast<__int128>(bytes) * kSecond * senders /
                                  rate_.load(std::memory_order_relaxed));
}

void Bucket::set(BytesPerSecond rate, Bytes burst) {
  rate_.store(rate, std::memory_order_relaxed);
  burst_.store(burst, std::memory_order_relaxed);
}

Nanoseconds Bucket::when(Nanoseconds now, int senders, Lead lead) const {
  const Nanoseconds paid_until = paid_until_.load(std::memory_order_relaxed),
                    full = duration(burst_.load(std::memory_order_relaxed) / senders, senders);
  const Nanoseconds brief =
      kFirstLead + (paid_until - busy_since_.load(std::memory_order_relaxed)) / kPartOfBusyTime;
  return std::max(now, paid_until - (lead == Lead::full ? full : std::min(full, brief)));
}

void Bucket::take(Nanoseconds now, Bytes bytes, int senders) {
  Nanoseconds before = paid_until_.load(std::memory_order_relaxed), after = 0;
  do {
    after = std::max(before, now) + duration(bytes, senders);
  } while (!paid_until_.compare_exchange_weak(before, after, std::memory_order_relaxed));
  if (before <= now) busy_since_.store(now, std::memory_order_relaxed);
}

Bucket& Buckets::of(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  return buckets_[{from, to}];
}

Buckets& buckets() {
  static Buckets instance;
  return instance;
}

Pacer::Pacer(const Topology& topology, Rank me, int percent, Buckets& buckets) : layout_(&topology.layout) {
  if (percent == 0) return;
  const Network& network = topology.network;
  const SiteIndex here = layout_->site_of(me);
  Nanoseconds longest = 0;
  for (SiteIndex site = 0; site < network.sites(); ++site) {
    const Link& link = network.link(here, site);
    longest = std::max(longest, site == here ? 0 : link.latency_ns);
    links_.push_back(site == here ? nullptr
                                  : &buckets.of(layout_->site_name(here), layout_->site_name(site)));
    if (site != here)
      links_.back()->set(paced(link.bandwidth_bytes_per_s, percent),
                         burst_of(link.bandwidth_bytes_per_s, link.latency_ns));
  }
  if (const auto cap = network.uplink(here)) {
    uplink_ = &buckets.of_uplink(layout_->site_name(here));
    uplink_->set(paced(*cap, percent), burst_of(*cap, longest));
  }
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
  Nanoseconds when = link->when(now, senders, lead);
  if (uplink_) when = std::max(when, uplink_->when(now, senders, lead));
  if (when > now) return when;
  bytes += link->uncounted.exchange(0, std::memory_order_relaxed);
  link->take(now, bytes, senders);
  if (uplink_) uplink_->take(now, bytes, senders);
  return now;
}

}  // namespace wan
