// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/simulated_wan.h"

#include <algorithm>

#include "probe/budget.h"
#include "probe/robust.h"
#include "probe/visit.h"

namespace wan {
namespace {

using probe::Errand;
using probe::Finding;
using probe::Host;
using probe::Train;
using probe::Visit;

constexpr Bytes kPacket = 1'448;
/// Delays stay as they are for so long: queues elsewhere grow and shrink.
constexpr Nanoseconds kJitterTime = 20'000'000;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

double fraction(std::uint64_t bits) {
  return static_cast<double>(mixed(bits) >> 11) / 9007199254740992.0;
}

/// One direction of a connection.
class Direction {
 public:
  Direction(const WideArea& area, Host from, Host to)
      : area_(area),
        link_(area.between(from, to)),
        key_(mixed(area.seed * 1'000'003u + 1009u * static_cast<unsigned>(from) +
                   static_cast<unsigned>(to))) {}

  /// When a packet that is sent then arrives.
  Nanoseconds arrival(Nanoseconds sent, Bytes bytes) {
    free_ =
        std::max(free_, sent) + static_cast<Nanoseconds>(static_cast<double>(bytes) * 1e9 /
                                                         static_cast<double>(link_.bandwidth_bytes_per_s));
    const double extra = area_.jitter * fraction(key_ + static_cast<std::uint64_t>(free_ / kJitterTime));
    last_ = std::max(last_, free_ + link_.latency_ns +
                                static_cast<Nanoseconds>(extra * static_cast<double>(link_.latency_ns)));
    return last_;
  }
  /// When its receiver sees what has arrived.
  Nanoseconds seen(Nanoseconds arrival) {
    return arrival +
           static_cast<Nanoseconds>(fraction(key_ ^ ++looks_ << 32) * static_cast<double>(area_.lateness_ns));
  }

  struct Passed {
    Train train;
    Nanoseconds end;
  };
  Passed pass(Nanoseconds sent, Bytes bytes) {
    const Nanoseconds first = seen(arrival(sent, std::min(bytes, kPacket)));
    Nanoseconds last = first;
    for (Bytes left = bytes - kPacket; left > 0; left -= kPacket)
      last = std::max(last, seen(arrival(sent, std::min(left, kPacket))));
    return {{std::max<Bytes>(0, bytes - kPacket), last - first}, last};
  }

 private:
  const WideArea& area_;
  Link link_;
  std::uint64_t key_, looks_ = 0;
  Nanoseconds free_ = 0, last_ = 0;
};

/// One visit, from when it begins.
class SimulatedVisit {
 public:
  /// known: the round trip of a connection that an earlier errand has left; 0 if there is none.
  SimulatedVisit(const WideArea& area, const Errand& errand, Nanoseconds deadline, Nanoseconds known)
      : area_(area),
        visit_(errand, deadline),
        known_(known),
        there_(area, errand.from, errand.to),
        back_(area, errand.to, errand.from),
        room_(area.window) {}

  Finding run() {
    if (known_ > 0)
      visit_.connected(now_, known_);
    else if (!is_mute(visit_.errand().from) && !is_mute(visit_.errand().to))
      connect();
    for (;;) {
      const Visit::Action action = visit_.next(now_);
      if (action.act == Visit::Act::finish) return visit_.finding();
      if (action.act == Visit::Act::ping) ping();
      if (action.act == Visit::Act::train) train(action.bytes, action.bytes_back);
      if (action.act == Visit::Act::wait) wait(action.until_ns);
    }
  }
  Nanoseconds end() const { return now_; }
  Bytes sent() const { return sent_; }

 private:
  struct Event {
    enum { connected, answered, crossed } kind;
    Nanoseconds begin;
    Train there, back;
  };
  bool is_mute(Host host) const { return std::ranges::count(area_.mute, host) > 0; }
  Nanoseconds round_trip() { return back_.seen(back_.arrival(there_.seen(there_.arrival(now_, 60)), 60)); }
  void connect() { events_.emplace(round_trip(), Event{Event::connected, 0, {}, {}}); }
  void ping() { events_.emplace(round_trip(), Event{Event::answered, now_, {}, {}}); }
  Bytes possible(Bytes bytes) const { return std::max(2 * kPacket, std::min(bytes, room_ / 5)); }
  void train(Bytes bytes, Bytes bytes_back) {
    sent_ += possible(bytes);
    const auto there = there_.pass(now_, possible(bytes)), back = back_.pass(there.end, possible(bytes_back));
    events_.emplace(back.end, Event{Event::crossed, now_, there.train, back.train});
  }
  void wait(Nanoseconds until) {
    if (events_.empty() || events_.begin()->first > until) {
      now_ = std::max(now_, until);
      return;
    }
    const auto [time, event] = *events_.begin();
    events_.erase(events_.begin());
    now_ = std::max(now_, time);
    if (event.kind == Event::connected) visit_.connected(now_, now_);
    if (event.kind == Event::answered) visit_.answered(now_ - event.begin);
    if (event.kind == Event::crossed) cross(event);
  }
  void cross(const Event& event) {
    visit_.crossed(event.there, event.back);
    if (++crossed_ % 5 == 0) room_ *= 2;
  }

  const WideArea& area_;
  Visit visit_;
  Nanoseconds known_;
  Direction there_, back_;
  Bytes room_, sent_ = 0;
  int crossed_ = 0;
  Nanoseconds now_ = 0;
  std::multimap<Nanoseconds, Event> events_;
};

}  // namespace

std::vector<Finding> SimulatedWan::run(const std::vector<Errand>& errands) {
  std::vector<Finding> findings;
  const bool is_first = errands_ == 0;
  Nanoseconds end = elapsed_ns_;
  for (const Errand& errand : errands) {
    const Nanoseconds round_trip =
        area_.between(errand.from, 0).latency_ns + area_.between(0, errand.from).latency_ns;
    Nanoseconds& known = known_[{errand.from, errand.to}];
    SimulatedVisit visit(area_, errand,
                         is_first ? probe::kGlanceTime : probe::study_time(elapsed_ns_, round_trip), known);
    findings.push_back(visit.run());
    known = probe::least_round_trip(findings.back().round_trips).value_or(0);
    end = std::max(end, elapsed_ns_ + visit.end() + (is_first ? round_trip / 2 : round_trip));
    most_sent_ = std::max(most_sent_, visit.sent());
  }
  elapsed_ns_ = end;
  errands_ += errands.size();
  area_.seed += 7919;
  return findings;
}

}  // namespace wan
