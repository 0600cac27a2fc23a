// SPDX-License-Identifier: BSD-3-Clause
// A link in steps of a quarter of a millisecond, for tests of what is learnt: a rate, a latency, a queue that
// drops at its tail, and other traffic. Several processes send over it, each held back by a Bucket as
// run/pacer.h does, and looks at its socket every two milliseconds. TCP is as simple as it can be: all that a
// process hands over is sent at once, and what was dropped again a round trip and a half later.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/time.h"
#include "learn/learnt_link.h"
#include "run/pacer.h"

namespace wan::testing {

class SimulatedLink {
 public:
  struct Wire {
    BytesPerSecond rate = 12'500'000;
    Nanoseconds latency = 10 * kMillisecond;
    Bytes queue = 4 << 20;
  };
  static constexpr Bytes kMessage = 32 << 10, kPacket = 8 << 10;
  static constexpr Nanoseconds kStep = kMillisecond / 4, kLook = 2 * kMillisecond;

  SimulatedLink(Wire wire, int processes, std::optional<BytesPerSecond> believed,
                Nanoseconds believed_latency, int percent = 110)
      : wire_(wire) {
    for (int i = 0; i < processes; ++i) {
      processes_.push_back(std::make_unique<Process>(percent, i));
      process(i).pace = process(i).learnt.believe(believed, believed_latency);
      process(i).bucket.adapt(now_, process(i).pace);
      process(i).least = 2 * wire.latency;  // of the connection
    }
  }

  void change(Wire wire) { wire_ = wire; }
  /// Bytes a second of others, which are not held back.
  void set_other_traffic(BytesPerSecond rate) { others_ = rate; }
  /// The part of the time, in percent, in which a buffer of a host holds each socket back: what it then has
  /// is unsent.
  void set_host_limit(BytesPerSecond rate) { host_limit_ = rate; }
  Nanoseconds now() const { return now_; }
  /// Of the link, as a process is held to it.
  BytesPerSecond pace(int process) { return this->process(process).pace.rate; }
  LearntLink& learnt(int process) { return this->process(process).learnt; }

  /// Each of the first `senders` processes sends so much; how long until the other side has everything.
  Nanoseconds call(Bytes bytes, int senders) {
    const Nanoseconds begin = now_;
    for (int i = 0; i < senders; ++i) process(i).waiting = bytes;
    while (!is_over()) step(senders);
    return now_ - begin - wire_.latency;
  }
  void calls(int number, Bytes bytes, int senders) {
    for (int i = 0; i < number; ++i) call(bytes, senders);
  }
  void idle(Nanoseconds time) {
    for (const Nanoseconds end = now_ + time; now_ < end;) step(1);
  }

 private:
  struct Process {
    Process(int percent, int turn) : learnt(percent, turn) {}
    LearntLink learnt;
    Bucket bucket;
    Pace pace{};
    Bytes waiting = 0, unsent = 0, under_way = 0, delivered = 0;
    std::int64_t sent_again = 0;
    double smoothed = 0;
    Nanoseconds least = 0, held_by_hosts = 0, limit_until = 0;
  };
  struct Packet {
    int process;  ///< -1: others'
    Bytes bytes;
    Nanoseconds sent, due = 0;
  };
  Process& process(int i) { return *processes_[static_cast<std::size_t>(i)]; }
  bool is_over() const {
    for (const auto& each : processes_)
      if (each->waiting + each->unsent + each->under_way > 0) return false;
    return true;
  }
  void enter(Packet packet) {
    if (queued_ + packet.bytes > wire_.queue) {
      if (packet.process < 0) return;
      packet.due = now_ + 3 * wire_.latency;
      return lost_.push_back(packet);
    }
    queued_ += packet.bytes;
    queue_.push_back(packet);
  }
  void hand_over(int index, int senders) {
    Process& sender = process(index);
    while (sender.waiting > 0) {
      const bool held = sender.bucket.when(now_, senders, Lead::full) > now_;
      sender.bucket.note(held, senders);
      if (held) break;
      const Bytes bytes = std::min(kMessage, sender.waiting);
      sender.bucket.take(now_, bytes, senders);
      sender.waiting -= bytes;
      sender.unsent += bytes;
    }
    while (sender.unsent > 0 && (host_limit_ == 0 || sender.limit_until <= now_)) {
      const Bytes bytes = std::min(kPacket, sender.unsent);
      sender.unsent -= bytes;
      sender.under_way += bytes;
      if (host_limit_ > 0)
        sender.limit_until = std::max(sender.limit_until, now_) + bytes * kSecond / host_limit_;
      enter({index, bytes, now_});
    }
    if (sender.unsent > 0) sender.held_by_hosts += kStep;
  }
  void transmit() {
    budget_ = std::min(budget_, kPacket) + wire_.rate * kStep / kSecond;
    while (!queue_.empty() && queue_.front().bytes <= budget_) {
      Packet packet = queue_.front();
      queue_.pop_front();
      queued_ -= packet.bytes;
      budget_ -= packet.bytes;
      packet.due = now_ + 2 * wire_.latency;
      if (packet.process >= 0) answers_.push_back(packet);
    }
  }
  void hear() {
    while (!answers_.empty() && answers_.front().due <= now_) {
      const Packet packet = answers_.front();
      answers_.pop_front();
      Process& sender = process(packet.process);
      sender.under_way -= packet.bytes;
      sender.delivered += packet.bytes;
      const Nanoseconds trip = now_ - packet.sent;
      sender.least = sender.least == 0 ? trip : std::min(sender.least, trip);
      sender.smoothed += sender.smoothed == 0 ? static_cast<double>(trip)
                                              : (static_cast<double>(trip) - sender.smoothed) / 8;
    }
    for (; !lost_.empty() && lost_.front().due <= now_; lost_.pop_front()) {
      ++process(lost_.front().process).sent_again;
      enter({lost_.front().process, lost_.front().bytes, now_});
    }
  }
  void look() {
    for (const auto& each : processes_) {
      const Sight sight{now_,
                        1,
                        each->delivered,
                        each->unsent,
                        each->under_way,
                        static_cast<Nanoseconds>(each->smoothed),
                        each->least,
                        each->sent_again,
                        each->held_by_hosts};
      each->pace = each->learnt.see(sight, each->bucket.take_demand());
      each->bucket.adapt(now_, each->pace);
    }
  }
  void step(int senders) {
    now_ += kStep;
    hear();
    others_budget_ += others_ * kStep / kSecond;
    for (; others_budget_ >= kPacket; others_budget_ -= kPacket) enter({-1, kPacket, now_});
    for (int i = 0; i < static_cast<int>(processes_.size()); ++i) hand_over(i, senders);
    transmit();
    if (now_ % kLook == 0) look();
  }

  Wire wire_;
  BytesPerSecond others_ = 0, host_limit_ = 0;
  Bytes others_budget_ = 0;
  std::vector<std::unique_ptr<Process>> processes_;
  std::deque<Packet> queue_, answers_, lost_;
  Bytes queued_ = 0, budget_ = 0;
  Nanoseconds now_ = 0;
};

}  // namespace wan::testing
