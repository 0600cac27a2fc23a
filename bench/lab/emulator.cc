// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/emulator.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <future>

#include "bench/lab/plan.h"

namespace wan::lab {
namespace {

/// Packets read from one site before the others and the deliveries get their turn.
constexpr int kBatch = 64;
constexpr Nanoseconds kSecond = 1'000'000'000;
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

timespec to_timespec(Nanoseconds duration) {
  return {static_cast<time_t>(duration / kSecond), static_cast<long>(duration % kSecond)};
}

std::unique_ptr<std::byte[]> copy_of(std::span<const std::byte> packet) {
  auto copy = std::make_unique_for_overwrite<std::byte[]>(packet.size());
  std::memcpy(copy.get(), packet.data(), packet.size());
  return copy;
}

}  // namespace

Emulator::Emulator(FabricConfig config, std::vector<TunDevice> tuns, CounterFile& counters, std::size_t mtu)
    : fabric_(std::move(config)),
      tuns_(std::move(tuns)),
      counters_(counters),
      buffer_(mtu),
      stop_event_(checked(::eventfd(0, EFD_CLOEXEC), "eventfd")) {
  for (const TunDevice& tun : tuns_) polls_.push_back({tun.fd(), POLLIN, 0});
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
  while (!stopping_) {
    deliver_due();
    wait();
    for (std::size_t site = 0; site < tuns_.size(); ++site)
      if (polls_[site].revents & POLLIN) read_site(static_cast<SiteIndex>(site));
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
    const std::span packet(parcel.data.get(), static_cast<std::size_t>(parcel.size));
    const bool arrived = fate == Fate::kDelivered && tuns_[static_cast<std::size_t>(parcel.to)].write(packet);
    now = monotonic_now();
    if (arrived)
      counters_.count_delivery(parcel.from, parcel.to, now - due);
    else if (fate == Fate::kLost)
      counters_.count_lost(parcel.from, parcel.to);
    else
      counters_.count_overflowed(parcel.from, parcel.to);
  }
}

/// For a packet to read or the next event. A processor notices late that a thread's time has come, a virtual one by 10 us and
/// more, and needs as long again to change over to it: the thread asks to be woken that much earlier, and does not sleep where
/// that would take longer than the wait.
void Emulator::wait() {
  const auto next = fabric_.next_event();
  if (!next) {
    ::ppoll(polls_.data(), polls_.size(), nullptr, nullptr);
    return;
  }
  const Nanoseconds now = monotonic_now();
  const Nanoseconds sleep = *next - now <= 2 * alarm_delay_ ? 0 : *next - now - alarm_delay_;
  const timespec timeout = to_timespec(sleep);
  const int ready = ::ppoll(polls_.data(), polls_.size(), &timeout, nullptr);
  if (ready == 0 && sleep > 0) learn_alarm_delay(monotonic_now() - (now + sleep));
}

void Emulator::learn_alarm_delay(Nanoseconds delay) {
  constexpr Nanoseconds kMost = 25'000;  // more is another's work in the way
  alarm_delay_ += (std::min(delay, kMost) - alarm_delay_) / 8;
}

void Emulator::read_site(SiteIndex from) {
  for (int i = 0; i < kBatch; ++i) {
    const auto bytes = tuns_[static_cast<std::size_t>(from)].read(buffer_);
    if (!bytes) return;
    submit(from, std::span(buffer_).first(*bytes));
  }
}

void Emulator::submit(SiteIndex from, std::span<const std::byte> packet) {
  const auto info = parse_packet(packet);
  const auto to =
      info ? site_of_address(info->destination, static_cast<SiteIndex>(tuns_.size())) : std::nullopt;
  if (!to || *to == from) return;
  counters_.count_packet(from, *to, *info);
  Parcel parcel{from, *to, info->ip_bytes, copy_of(packet)};
  const Fate fate = [&] {
    const std::scoped_lock lock(mutex_);
    return fabric_.submit(monotonic_now(), std::move(parcel));
  }();
  if (fate == Fate::kLost) counters_.count_lost(from, *to);
  if (fate == Fate::kOverflowed) counters_.count_overflowed(from, *to);
}

}  // namespace wan::lab
