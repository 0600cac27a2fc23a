// SPDX-License-Identifier: BSD-3-Clause
// How fast a process hands what leaves its site to the transport: at the rate of the link, after as much at
// once as the link holds. Many processes that each send all they have at once overfill the queue before a
// link; what is dropped there costs a transport some round trips to notice and, at the end of a message, its
// time-out.
//
// A process that keeps looking at its messages needs less of a lead, and where processes share processors it
// takes no more: the pieces with which the others' links are to begin come first, what a link can take only
// later has time. (Where nobody knows who sends how much, each may use the whole rate: the transport then
// shares the link among those who do.)
//
// A leaky bucket a destination site (ITU-T I.371, the generic cell rate algorithm): `burst` bytes may run
// ahead of the rate. The processes of a site that send at the same time each keep to an equal share of both.
// A process has one bucket a link, whatever communicators its messages belong to.
//
// What goes over streams is held part by part (streams/outgoing.h), not message by message, and is not let
// run ahead of the link's own rate: so it overflows no queue that holds an eighth of a round trip.
//
// Where links are learnt (learn/learnt_link.h), the rate and the burst are what has been learnt, and adapt()
// changes them while messages wait.
// Threads: any. Tested by tests/unit/run_pacer.cc.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "learn/learnt_link.h"
#include "topo/topology.h"

namespace wan {

/// By how much a sender runs ahead of a link.
enum class Lead : std::uint8_t {
  full,   ///< by what the link holds: it may not look at its messages again before that has gone
  brief,  ///< by little at first, for it looks all the time, then by the more the longer it has been sending
  unlimited  ///< by all that it has, which is not counted: what is to show how quick the link is
};

/// Of one link, or one access link.
class Bucket {
 public:
  /// What is believed of the link from now on. The rates are 1 or more.
  void set(const Pace& pace);
  /// As set(), of what has been learnt; what has gone and was to take until later takes as much longer or
  /// shorter as the rate is lower or higher.
  void adapt(Nanoseconds now, const Pace& pace);

  /// When `bytes` more may go to it, by one of `senders` processes with equal shares: `now` or later.
  Nanoseconds when(Nanoseconds now, int senders, Lead lead) const;
  /// They go.
  void take(Nanoseconds now, Bytes bytes, int senders);
  /// Of what goes over streams in frames: bytes that one of `senders` may send at `now`, with the headers of
  /// all layers; 0: later. They are kept to the link's own rate, whatever the process was late with.
  Bytes frame_room(Nanoseconds now, int senders);
  void take_frame(Nanoseconds now, Bytes bytes, int senders);
  /// What frames of one of `senders` may send in a round trip.
  Bytes frame_window(int senders) const;
  /// Bytes of short messages that have gone and are counted with the next that is.
  std::atomic<Bytes> uncounted{0};

  /// What has been asked of it: `senders` as Pacer::ask() has it.
  void note(bool held, int senders);
  /// Since this was last called.
  PaceDemand take_demand();

 private:
  /// That `bytes` take at a share of the rate.
  Nanoseconds duration(Bytes bytes, int senders) const;
  BytesPerSecond frame_share(int senders) const;

  std::atomic<BytesPerSecond> rate_{1}, frame_rate_{1};
  std::atomic<Bytes> burst_{0};
  std::atomic<Nanoseconds> paid_until_{0};    ///< what has gone has taken the link until then
  std::atomic<Nanoseconds> busy_since_{0};    ///< without a gap
  std::atomic<Nanoseconds> frame_lead_{0};    ///< by which frames may run ahead
  std::atomic<Nanoseconds> framed_until_{0};  ///< as paid_until_, of frames
  std::atomic<bool> held_{false};
  std::atomic<int> senders_{0};
};

/// Those of one process. Threads: any.
class Buckets {
 public:
  /// Of the link between two sites. Lives as long as this.
  Bucket& of(const std::string& from, const std::string& to);
  /// Of the access link of a site.
  Bucket& of_uplink(const std::string& site) { return of(site, {}); }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Bucket> buckets_;
};

/// Those of this process.
Buckets& buckets();

/// What a Pacer is told of the links' rates.
enum class Rates : std::uint8_t {
  stated,  ///< by the topology
  unknown  ///< nothing: what is not learnt is not held, before all ranks agree on what it is
};

/// The part of one of `senders` processes in a link, and in the access link before it.
struct LinkShare {
  Bucket *link = nullptr, *uplink = nullptr;  ///< nullptr: not held
  int senders = 1;

  Bytes frame_room(Nanoseconds now) const;
  void take_frame(Nanoseconds now, Bytes bytes) const;
  Bytes frame_window() const;
};

/// Holds the messages of a communicator to the rates of its links.
class Pacer {
 public:
  /// Shorter messages are counted when there are so many bytes of them: the clock would cost more than each.
  static constexpr Bytes kShortest = 4096;

  /// percent: of the links' rates; 0: everything goes at once. learnt: nullptr: nothing is learnt. All must
  /// outlive it.
  Pacer(const Topology& topology, Rank me, int percent, Buckets& buckets, LearntLinks* learnt = nullptr,
        Rates rates = Rates::stated);

  bool learns() const { return learnt_ != nullptr; }
  /// By what is a network believed in? What all ranks have agreed on counts more than what a process has
  /// seen.
  enum class By : std::uint8_t { statement, ranks };
  /// The links are like this now.
  void believe(const Network& network, By by) const;
  /// Must ask() be asked before a message to this rank goes? If not, it goes now.
  bool paces(Rank peer, Bytes bytes);
  /// When it may go: at or before `now` if at once, and then it has been counted. What is not held to a rate
  /// may go at once. senders: Program::senders(), 0 where nobody knows.
  Nanoseconds ask(Nanoseconds now, Rank peer, Bytes bytes, int senders, Lead lead = Lead::full);
  /// What the frames of a message to this rank are held to.
  LinkShare share_of(Rank peer, int senders) const {
    return {bucket_of(peer), uplink_, std::max(senders, 1)};
  }

 private:
  Bucket* bucket_of(Rank peer) const {
    return links_.empty() ? nullptr : links_[static_cast<std::size_t>(layout_->site_of(peer))];
  }

  void believe(Bucket& bucket, LearntLink* learnt, std::optional<BytesPerSecond> rate,
               Nanoseconds latency) const;

  const Layout* layout_;
  SiteIndex here_;
  int percent_ = 0;
  int turn_ = 0;  ///< which of the processes of the site this one is
  Rates rates_ = Rates::stated;
  LearntLinks* learnt_;
  std::vector<Bucket*> links_;  ///< by site; none of the own; empty: nothing is paced
  Bucket* uplink_ = nullptr;    ///< where it is capped
};

}  // namespace wan
