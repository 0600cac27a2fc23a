// SPDX-License-Identifier: BSD-3-Clause
// What a host does on one errand, step by step, without a clock or a socket: it is told what came and when,
// and says what to send next. Pings are spread over a round trip rather than sent one after the other, so
// that they see the network at different times and yet cost one round trip. Trains go in volleys of five,
// each in both directions, and grow in each until their spread can be told from the clock's. Where round
// trips scatter or trains do not agree, more of them follow. Tested by tests/unit/probe_visit.cc and
// tests/property/probes.cc.
#pragma once

#include <vector>

#include "probe/measurement.h"

namespace wan::probe {

class Visit {
 public:
  /// Whatever is not known by `deadline_ns` stays unknown. All times are of one clock of the host.
  Visit(const Errand& errand, Nanoseconds deadline_ns) : errand_(errand), deadline_ns_(deadline_ns) {
    finding_.from = errand.from;
    finding_.to = errand.to;
  }

  enum class Act : std::uint8_t { wait, ping, train, finish };
  struct Action {
    Act act = Act::wait;
    Bytes bytes = 0;           ///< of the train to the other host
    Bytes bytes_back = 0;      ///< of its own, which it sends when it has seen the end of this one
    Nanoseconds until_ns = 0;  ///< wait: ask again then, or when something has come
  };
  /// What to do now. After ping and train, ask again.
  Action next(Nanoseconds now_ns);

  /// The connection is there, after one round trip or since an earlier errand.
  void connected(Nanoseconds now_ns, Nanoseconds round_trip_ns);
  /// The answer to a ping.
  void answered(Nanoseconds round_trip_ns);
  /// At the end: what the transport has seen of the round trip by itself.
  void remembered(Nanoseconds round_trip_ns);
  /// A train has come to the other host, and its own to this one.
  void crossed(const Train& there, const Train& back);

  const Errand& errand() const { return errand_; }
  const Finding& finding() const { return finding_; }
  /// Is nothing under way that it has sent?
  bool is_answered() const {
    return is_connected_ && answers_ == pings_sent_ && trains_back_ == trains_sent_;
  }

 private:
  Action next_of_glance(Nanoseconds now_ns);
  Action next_of_study(Nanoseconds now_ns);
  Action next_ping(Nanoseconds now_ns, Nanoseconds least_pause);
  Action next_train(Nanoseconds now_ns);
  bool wants_ping(Nanoseconds now_ns) const;
  Nanoseconds pause(Nanoseconds least) const;
  Nanoseconds longest_round_trip() const;
  Nanoseconds train_pause() const;
  Nanoseconds train_time() const;
  bool has_time_for_volley(Nanoseconds now_ns) const;
  bool knows_enough() const;
  void prepare_volley();
  Action wait_until(Nanoseconds time_ns) const;

  Errand errand_;
  Nanoseconds deadline_ns_;
  Finding finding_;
  bool is_connected_ = false;
  Nanoseconds connected_ns_ = 0, round_trip_ns_ = 0, next_ping_ns_ = 0, next_train_ns_ = 0;
  int pings_sent_ = 0, answers_ = 0;
  int volleys_ = 0, trains_left_ = 0, trains_sent_ = 0, trains_back_ = 0;
  Bytes train_there_ = 0, train_back_ = 0, sent_there_ = 0, sent_back_ = 0;
};

}  // namespace wan::probe
