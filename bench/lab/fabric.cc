// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/fabric.h"

#include <algorithm>

#include "base/invariant.h"
#include "base/rate.h"

namespace wan::lab {
namespace {

constexpr Bytes kLeastQueue = 4 << 20;
constexpr int kPpm = 1'000'000;

std::size_t index(SiteIndex site) {
  return static_cast<std::size_t>(site);
}

/// The longest latency of a link that `site` is an end of.
Nanoseconds longest_latency(const FabricConfig& config, SiteIndex site) {
  Nanoseconds longest = 0;
  for (SiteIndex peer = 0; peer < config.sites; ++peer)
    longest = std::max({longest, config.links[index(site * config.sites + peer)].latency_ns,
                        config.links[index(peer * config.sites + site)].latency_ns});
  return longest;
}

}  // namespace

Bytes default_queue_limit(BytesPerSecond rate, Nanoseconds one_way_latency) {
  return std::max(kLeastQueue, 2 * passed(rate, 2 * one_way_latency));
}

Bytes queue_limit_of(int ppm, BytesPerSecond rate, Nanoseconds one_way_latency) {
  constexpr Bytes kTenPackets = 15'000;
  const Wide on_its_way = passed(rate, 2 * one_way_latency);
  return std::max(kTenPackets, static_cast<Bytes>(on_its_way * ppm / kPpm));
}

Bytes Server::backlog(Nanoseconds at) const {
  const Nanoseconds former = std::clamp(former_until_ - at, Nanoseconds{0},
                                        std::max<Nanoseconds>(0, free_at_ - at)),
                    busy = std::max<Nanoseconds>(0, free_at_ - at) - former;
  return static_cast<Bytes>((Wide{former} * former_rate_ + Wide{busy} * rate_) / kSecond);
}

void Server::set_rate(Nanoseconds now, BytesPerSecond rate) {
  former_rate_ = rate_;
  former_until_ = std::max(now, free_at_);
  rate_ = rate;
}

std::optional<Passage> Server::carry(Passage in, Bytes size) {
  if (backlog(in.first_bit) + size > queue_limit_) return std::nullopt;
  const Nanoseconds start = std::max(in.first_bit, free_at_);
  free_at_ = std::max(start + time_of(size, rate_), in.last_bit);
  return Passage{start, free_at_};
}

Fabric::Fabric(FabricConfig config)
    : config_(std::move(config)), states_(config_.links.size()), random_(config_.seed) {
  const auto sites = index(config_.sites);
  invariant(config_.links.size() == sites * sites, "a link for every directed pair of sites");
  invariant(config_.uplinks.size() == sites && config_.downlinks.size() == sites, "two caps a site");
  pairs_.reserve(config_.links.size());
  for (const Link& link : config_.links)
    pairs_.emplace_back(link.bandwidth_bytes_per_s, queue_limit(link.bandwidth_bytes_per_s, link.latency_ns));
  uplinks_ = access_links(config_.uplinks);
  downlinks_ = access_links(config_.downlinks);
}

Bytes Fabric::queue_limit(BytesPerSecond rate, Nanoseconds one_way_latency) const {
  return config_.queue_ppm ? queue_limit_of(*config_.queue_ppm, rate, one_way_latency)
                           : default_queue_limit(rate, one_way_latency);
}

std::vector<std::optional<Server>> Fabric::access_links(
    const std::vector<std::optional<BytesPerSecond>>& caps) const {
  std::vector<std::optional<Server>> servers(caps.size());
  for (SiteIndex site = 0; site < config_.sites; ++site)
    if (const auto cap = caps[index(site)])
      servers[index(site)].emplace(*cap, queue_limit(*cap, longest_latency(config_, site)));
  return servers;
}

Nanoseconds Fabric::shortest_latency() const {
  std::optional<Nanoseconds> shortest;
  for (SiteIndex from = 0; from < config_.sites; ++from)
    for (SiteIndex to = 0; to < config_.sites; ++to) {
      const Nanoseconds latency = config_.links[pair_index(from, to)].latency_ns;
      if (from != to && (!shortest || latency < *shortest)) shortest = latency;
    }
  return shortest.value_or(0);
}

std::size_t Fabric::pair_index(SiteIndex from, SiteIndex to) const {
  return index(from) * index(config_.sites) + index(to);
}

bool Fabric::loses(std::size_t pair) {
  const auto loss_ppm = static_cast<std::uint64_t>(config_.links[pair].loss_ppm);
  return !states_[pair].is_up || (loss_ppm > 0 && random_() % std::uint64_t{kPpm} < loss_ppm);
}

/// With jitter, which stays as it is for some time: queues elsewhere grow and shrink.
Nanoseconds Fabric::latency_at(std::size_t pair, Nanoseconds time) const {
  constexpr Nanoseconds kJitterTime = 20'000'000;
  const Nanoseconds latency = config_.links[pair].latency_ns;
  if (config_.jitter_ppm == 0) return latency;
  const auto period = static_cast<std::uint64_t>(time / kJitterTime);
  std::mt19937_64 random(config_.seed + 1'000'003 * period + pair);
  const auto part = static_cast<Nanoseconds>(random() % (static_cast<std::uint64_t>(config_.jitter_ppm) + 1));
  return latency + latency / 1'000 * part / 1'000;
}

/// After a drop of the latency not before what entered earlier.
Passage Fabric::arrival(std::size_t pair, Passage sent) {
  const Nanoseconds latency = latency_at(pair, sent.first_bit);
  Passage& latest = states_[pair].latest;
  latest = {std::max(latest.first_bit, sent.first_bit + latency),
            std::max(latest.last_bit, sent.last_bit + latency)};
  return latest;
}

/// What keeps the packet's connection to its rate, as the sender's machine would: what is too much waits
/// there. None where nothing does.
Server* Fabric::cap_of(const Parcel& packet) {
  const auto flow = config_.flow_rate && packet.train ? flow_of(packet.train->packet(0)) : std::nullopt;
  if (!flow) return nullptr;
  const Nanoseconds latency = config_.links[pair_index(packet.from, packet.to)].latency_ns;
  return &flows_.try_emplace(*flow, *config_.flow_rate, default_queue_limit(*config_.flow_rate, latency))
              .first->second;
}

tl::expected<Fabric::Way, Fate> Fabric::pass(Passage in, const Parcel& packet) {
  const std::size_t pair = pair_index(packet.from, packet.to);
  std::optional<Passage> passage = in;
  if (auto& uplink = uplinks_[index(packet.from)]) passage = uplink->carry(*passage, packet.size);
  if (passage) passage = pairs_[pair].carry(*passage, packet.size);
  if (!passage) return tl::unexpected(Fate::kOverflowed);
  if (loses(pair)) return tl::unexpected(Fate::kLost);
  const Passage arriving = arrival(pair, *passage);
  return Way{{in.first_bit, arriving.last_bit}, arriving};
}

Drops Fabric::submit(Nanoseconds now, const Parcel& train) {
  Server* const cap = cap_of(train);
  return cap ? submit_capped(now, train, *cap) : submit_together(now, train);
}

Parcel Fabric::packet_of(const Parcel& train, std::size_t number) {
  Parcel packet = train;
  packet.first = number;
  packet.packets = 1;
  if (train.packets > 1) packet.size = train.train->ip_bytes(number, 1);
  return packet;
}

/// Its packets enter the uplink later, when others may have entered before them.
Drops Fabric::submit_capped(Nanoseconds now, const Parcel& train, Server& cap) {
  Drops drops;
  for (std::size_t i = 0; i < train.packets; ++i) {
    Parcel packet = packet_of(train, i);
    if (const auto passage = cap.carry({now, now}, packet.size))
      push({passage->first_bit, created_++, *passage, {}, Stage::kUplink, std::move(packet)});
    else
      ++drops.overflowed;
  }
  return drops;
}

/// Before a downlink, which may drop each of them, packets stay apart.
Drops Fabric::submit_together(Nanoseconds now, const Parcel& train) {
  Drops drops;
  std::optional<Parcel> open;  // what the next packet may join
  Way way;
  Nanoseconds first_arrival = 0;
  const auto close = [&] {
    if (open) push(std::move(*open), way);
    open.reset();
  };
  for (std::size_t i = 0; i < train.packets; ++i) {
    Parcel packet = packet_of(train, i);
    const auto passed = pass({now, now}, packet);
    if (!passed) ++(passed.error() == Fate::kLost ? drops.lost : drops.overflowed);
    const bool joins = open && passed && !downlinks_[index(train.to)] &&
                       passed->arriving.last_bit - first_arrival <= kTogether;
    if (joins) {
      open->size += packet.size;
      ++open->packets;
      way.on_link.last_bit = passed->on_link.last_bit;
      way.arriving.last_bit = passed->arriving.last_bit;
      continue;
    }
    close();
    if (!passed) continue;
    open = std::move(packet);
    way = *passed;
    first_arrival = way.arriving.last_bit;
  }
  close();
  return drops;
}

void Fabric::push(Parcel parcel, const Way& way) {
  const bool has_downlink = downlinks_[index(parcel.to)].has_value();
  push({has_downlink ? way.arriving.first_bit : way.arriving.last_bit, created_++, way.arriving, way.on_link,
        has_downlink ? Stage::kDownlink : Stage::kSite, std::move(parcel)});
}

bool Fabric::was_cut(const Event& event) const {
  const Nanoseconds cut = states_[pair_index(event.parcel.from, event.parcel.to)].went_down_at;
  return event.on_link.first_bit <= cut && cut < event.on_link.last_bit;
}

void Fabric::change(Nanoseconds now, SiteIndex from, SiteIndex to, const LinkChange& change) {
  const std::size_t pair = pair_index(from, to);
  Link& link = config_.links[pair];
  link.latency_ns = change.latency_ns.value_or(link.latency_ns);
  link.loss_ppm = change.loss_ppm.value_or(link.loss_ppm);
  if (change.bandwidth_bytes_per_s) {
    link.bandwidth_bytes_per_s = *change.bandwidth_bytes_per_s;
    pairs_[pair].set_rate(now, link.bandwidth_bytes_per_s);
  }
  if (!change.is_up) return;
  states_[pair].is_up = *change.is_up;
  if (!*change.is_up) states_[pair].went_down_at = now;
}

void Fabric::push(Event event) {
  heap_.push_back(std::move(event));
  std::push_heap(heap_.begin(), heap_.end(), Later{});
}

Fabric::Event Fabric::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), Later{});
  Event event = std::move(heap_.back());
  heap_.pop_back();
  return event;
}

std::optional<Fabric::Arrival> Fabric::enter_uplink(Event event) {
  const auto passed = pass(event.passage, event.parcel);
  if (!passed) return Arrival{std::move(event.parcel), event.due, passed.error()};
  push(std::move(event.parcel), *passed);
  return std::nullopt;
}

std::optional<Fabric::Arrival> Fabric::enter_downlink(Event event) {
  const auto passed = downlinks_[index(event.parcel.to)]->carry(event.passage, event.parcel.size);
  if (!passed) return Arrival{std::move(event.parcel), event.due, Fate::kOverflowed};
  push({passed->last_bit, created_++, *passed, event.on_link, Stage::kSite, std::move(event.parcel)});
  return std::nullopt;
}

std::optional<Fabric::Arrival> Fabric::take(Nanoseconds now) {
  while (!heap_.empty() && heap_.front().due <= now) {
    Event event = pop();
    if (event.stage == Stage::kSite) {
      const Fate fate = was_cut(event) ? Fate::kLost : Fate::kDelivered;
      return Arrival{std::move(event.parcel), event.due, fate};
    }
    auto drop =
        event.stage == Stage::kUplink ? enter_uplink(std::move(event)) : enter_downlink(std::move(event));
    if (drop) return drop;
  }
  return std::nullopt;
}

std::optional<Nanoseconds> Fabric::next_event() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().due;
}

}  // namespace wan::lab
