// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/emulator.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <future>

#include "base/time.h"
#include "bench/lab/frame.h"
#include "bench/lab/plan.h"
#include "bench/lab/processors.h"
#include "bench/lab/train.h"

namespace wan::lab {
namespace {

/// Packets read from one site before the others and the deliveries get their turn.
constexpr int kBatch = 64;
constexpr int kFifoPriority = 10;
constexpr int kNice = -20;

/// Takes all of a limit that the system grants: a user with `rtprio` in limits.conf may use SCHED_FIFO.
void lift_limit(__rlimit_resource resource) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(resource, &limit);
}

/// Gives the calling thread the best scheduling that it may have.
std::string raise_priority() {
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  lift_limit(RLIMIT_RTPRIO);
  lift_limit(RLIMIT_NICE);
  const sched_param parameters{kFifoPriority};
  if (::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) == 0) return "fifo";
  return ::setpriority(PRIO_PROCESS, 0, kNice) == 0 ? "nice" : "normal";
}

/// At the end of its way.
Drops drops_of(const Parcel& parcel, bool arrived, Fate fate) {
  if (arrived) return {};
  return fate == Fate::kLost ? Drops{.lost = parcel.packets} : Drops{.overflowed = parcel.packets};
}

timespec to_timespec(Nanoseconds duration) {
  return {static_cast<time_t>(duration / kSecond), static_cast<long>(duration % kSecond)};
}

}  // namespace

Emulator::Emulator(FabricConfig config, std::vector<TapDevice> taps, Departures departures,
                   CounterFile& counters)
    : fabric_(std::move(config)),
      departures_(departures),
      taps_(std::move(taps)),
      counters_(counters),
      buffer_(kLongestTrain),
      stop_event_(checked(::eventfd(0, EFD_CLOEXEC), "eventfd")) {
  for (const TapDevice& tap : taps_) polls_.push_back({tap.fd(), POLLIN, 0});
  polls_.push_back({stop_event_.get(), POLLIN, 0});
  std::promise<std::string> scheduling;
  auto raised = scheduling.get_future();
  thread_ = std::thread([this, &scheduling] {
    scheduling.set_value(raise_priority());
    run();
  });
  scheduling_ = raised.get();
}

Emulator::~Emulator() {
  stopping_ = true;
  ::eventfd_write(stop_event_.get(), 1);
  thread_.join();
}

void Emulator::run() {
  ProcessorTurns turns;
  while (!stopping_) {
    turns.take(monotonic_now());
    deliver_due();
    if (wait()) read_all();
  }
}

void Emulator::change(SiteIndex from, SiteIndex to, const LinkChange& change) {
  const std::scoped_lock lock(mutex_);
  fabric_.change(monotonic_now(), from, to, change);
}

std::optional<Fabric::Arrival> Emulator::take(Nanoseconds now) {
  const std::scoped_lock lock(mutex_);
  return fabric_.take(now);
}

void Emulator::deliver_due() {
  Nanoseconds now = monotonic_now();
  while (auto arrival = take(now)) {
    const auto& [parcel, due, fate] = *arrival;
    const bool arrived = fate == Fate::kDelivered && taps_[static_cast<std::size_t>(parcel.to)].write(
                                                         parcel.train->piece(parcel.first, parcel.packets));
    now = monotonic_now();
    if (arrived) counters_.count_delivery(parcel.from, parcel.to, now - due);
    if (!is_of_others(parcel.train->packet(0).source))
      counters_.count_drops(parcel.from, parcel.to, drops_of(parcel, arrived, fate));
    else if (arrived)
      counters_.count_other(parcel.from, parcel.to, parcel.size);
  }
}

/// Until a packet is due, or one has left a site. Are the devices to be read?
bool Emulator::wait() {
  const Nanoseconds now = monotonic_now();
  const bool listens = listens_from_ <= now;
  auto next = fabric_.next_event();
  if (!listens) next = std::min(next.value_or(listens_from_), listens_from_);
  const timespec timeout = to_timespec(next ? std::max<Nanoseconds>(0, *next - now) : 0);
  pollfd* const polls = listens ? polls_.data() : &polls_.back();
  ::ppoll(polls, listens ? polls_.size() : 1, next ? &timeout : nullptr, nullptr);
  return listens;
}

/// Frames that say when they left need not be read at once: many at a time take less of the processors.
void Emulator::read_all() {
  bool has_read = false, all = true;
  for (std::size_t site = 0; site < taps_.size(); ++site) {
    if ((polls_[site].revents & POLLIN) == 0) continue;
    all &= read_site(static_cast<SiteIndex>(site));
    has_read = true;
  }
  if (departures_ == Departures::kernel && has_read && all) listens_from_ = monotonic_now() + pause();
}

/// At most half of what the quickest packet is under way, so that none is read too late.
Nanoseconds Emulator::pause() {
  constexpr Nanoseconds kLongest = 1'000'000;
  const std::scoped_lock lock(mutex_);
  return std::min(kLongest, fabric_.shortest_latency() / 2);
}

/// Has it read all that there was?
bool Emulator::read_site(SiteIndex from) {
  for (int i = 0; i < kBatch; ++i) {
    const auto bytes = taps_[static_cast<std::size_t>(from)].read(buffer_);
    if (!bytes) return true;
    submit(from, std::span(buffer_).first(*bytes));
  }
  return false;
}

void Emulator::submit(SiteIndex from, std::span<std::byte> bytes) {
  if (bytes.size() < kOffloadHeader) return;
  const std::span frame = bytes.subspan(kOffloadHeader);
  const auto info = parse_packet(packet_in(frame));
  const auto to =
      info ? site_of_address(info->destination, static_cast<SiteIndex>(taps_.size())) : std::nullopt;
  if (!to || *to == from) return;
  const Nanoseconds departed = departures_ == Departures::kernel ? departure_of(frame) : monotonic_now();
  address_frame(frame, HardwareAddress::of(info->destination), HardwareAddress::of(router_of(*to)));
  const auto train = std::make_shared<const Train>(bytes, *info);
  const bool counts = !is_of_others(info->source);
  for (std::size_t i = 0; counts && i < train->packets(); ++i)
    counters_.count_packet(from, *to, train->packet(i));
  const Drops drops = [&] {
    const std::scoped_lock lock(mutex_);
    return fabric_.submit(departed, {from, *to, info->ip_bytes, train, 0, train->packets()});
  }();
  if (counts) counters_.count_drops(from, *to, drops);
}

}  // namespace wan::lab
