// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the emulated wide area: when does a packet that enters now arrive, or is it dropped?
// Pure: no clock, no devices; time is an argument.
//
// A packet passes, first bit to last bit (cut-through, so rates in series do not add up their transmission
// times):
//   its TCP connection's rate (if capped) -> the sending site's uplink (if capped) -> the link of the
//   directed pair -> latency -> the receiving site's downlink.
// Each is a Server: it carries one packet after another, in order of arrival, bytes/rate each. Its queue is
// bounded (drop tail). Bandwidth counts IP bytes.
// Packets that a site hands over at once (a train) pass, and are lost, each by itself. Those that then arrive
// within kTogether of each other, with nothing missing between them, are delivered with the last of them, as
// a network card does.
// A link can be changed while packets are on their way: those that have entered keep their latency and rate.
// A link that goes down loses what is on it, and what enters until it is up. Invariants: nothing arrives
// before entry + latency + bytes/rate; a link never reorders, not even when its latency drops; the same seed
// and calls drop the same packets. Threads: none. Tested by bench/lab/tests/emulator_test.cc.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "bench/lab/train.h"
#include "topo/link.h"

namespace wan::lab {

/// When a packet's first and last bit pass a point.
struct Passage {
  Nanoseconds first_bit = 0, last_bit = 0;
};

/// A transmitter with a rate and a bounded queue before it.
class Server {
 public:
  Server(BytesPerSecond rate, Bytes queue_limit) : rate_(rate), queue_limit_(queue_limit) {}

  /// Carries a packet of `size` bytes whose bits arrive as `in` says; nullopt if the queue is full.
  std::optional<Passage> carry(Passage in, Bytes size);
  /// Of what is carried from now on: what waits goes as it was to go. The queue holds as many bytes as
  /// before.
  void set_rate(Nanoseconds now, BytesPerSecond rate);

 private:
  Bytes backlog(Nanoseconds at) const;

  BytesPerSecond rate_;
  Bytes queue_limit_;
  Nanoseconds free_at_ = 0;
  BytesPerSecond former_rate_ = 0;  ///< of what is carried until
  Nanoseconds former_until_ = 0;    ///< then
};

/// Packets on their way together: some of a train, often one.
struct Parcel {
  SiteIndex from = 0, to = 0;
  Bytes size = 0;                           ///< bytes of the IP packets
  std::shared_ptr<const Train> train = {};  ///< none: of one packet whose bytes do not matter
  std::size_t first = 0, packets = 1;       ///< of the train
};

inline constexpr Nanoseconds kTogether = 250'000;

/// What has not been taken of a parcel.
struct Drops {
  std::uint64_t lost = 0, overflowed = 0;
  friend bool operator==(const Drops&, const Drops&) = default;
};

enum class Fate { kDelivered, kLost, kOverflowed };

/// What the emulated network looks like.
struct FabricConfig {
  SiteIndex sites = 0;
  std::vector<Link> links;                                        ///< sites x sites, row-major by sender
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;  ///< one a site; nullopt = uncapped
  std::uint64_t seed = 1;                                         ///< of the losses and of the jitter
  int jitter_ppm = 0;                 ///< a packet's latency is up to so many millionths longer
  std::optional<int> queue_ppm = {};  ///< a queue's bytes in millionths of what is on its way in a round trip
  std::optional<BytesPerSecond> flow_rate = {};  ///< at which each TCP connection sends
};

/// What changes about a link; what is not set stays.
struct LinkChange {
  std::optional<bool> is_up = {};
  std::optional<Nanoseconds> latency_ns = {};
  std::optional<int> loss_ppm = {};
  std::optional<BytesPerSecond> bandwidth_bytes_per_s = {};

  friend bool operator==(const LinkChange&, const LinkChange&) = default;
};

/// The queue limit of a server: twice the bandwidth-delay product of the round trip, at least 4 MiB.
Bytes default_queue_limit(BytesPerSecond rate, Nanoseconds one_way_latency);
/// That part of the bandwidth-delay product, at least ten packets of 1500 bytes.
Bytes queue_limit_of(int ppm, BytesPerSecond rate, Nanoseconds one_way_latency);

/// All links of the emulated wide area.
class Fabric {
 public:
  explicit Fabric(FabricConfig config);

  /// A train enters at `now`, all of its packets.
  Drops submit(Nanoseconds now, const Parcel& train);

  /// The end of a parcel's way: kDelivered at `due`, kLost on a link that went down, or kOverflowed at the
  /// downlink.
  struct Arrival {
    Parcel parcel;
    Nanoseconds due = 0;
    Fate fate = Fate::kDelivered;
  };
  /// The next arrival that is due at or before `now`, in order of time.
  std::optional<Arrival> take(Nanoseconds now);

  /// When take() will next have something to do.
  std::optional<Nanoseconds> next_event() const;

  /// Of all links as they are now; 0: there are none.
  Nanoseconds shortest_latency() const;

  /// Changes the link of a directed pair at `now`. Its queue limit stays what it was.
  void change(Nanoseconds now, SiteIndex from, SiteIndex to, const LinkChange& change);

 private:
  enum class Stage { kUplink, kDownlink, kSite };
  struct Event {
    Nanoseconds due = 0;
    std::uint64_t order = 0;  ///< of creation: equal times leave in this order
    Passage passage;          ///< at the sending site's uplink, or the receiving site's downlink
    Passage on_link;          ///< from when it entered to when it has left the link
    Stage stage = Stage::kSite;
    Parcel parcel;
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.due != b.due ? a.due > b.due : a.order > b.order;
    }
  };

  /// What is not so from the beginning.
  struct LinkState {
    bool is_up = true;
    Nanoseconds went_down_at = -1;
    Passage latest;  ///< the last packet's, at the other site or its downlink
  };

  /// How a packet passes.
  struct Way {
    Passage on_link;   ///< from when it enters to when it has left the link
    Passage arriving;  ///< at the other site, or its downlink
  };
  std::size_t pair_index(SiteIndex from, SiteIndex to) const;
  bool loses(std::size_t pair);
  bool was_cut(const Event& event) const;
  Nanoseconds latency_at(std::size_t pair, Nanoseconds time) const;
  Passage arrival(std::size_t pair, Passage sent);
  tl::expected<Way, Fate> pass(Passage in, const Parcel& packet);
  Server* cap_of(const Parcel& packet);
  static Parcel packet_of(const Parcel& train, std::size_t number);
  Drops submit_capped(Nanoseconds now, const Parcel& train, Server& cap);
  Drops submit_together(Nanoseconds now, const Parcel& train);
  Bytes queue_limit(BytesPerSecond rate, Nanoseconds one_way_latency) const;
  std::vector<std::optional<Server>> access_links(
      const std::vector<std::optional<BytesPerSecond>>& caps) const;
  void push(Parcel parcel, const Way& way);
  void push(Event event);
  Event pop();
  std::optional<Arrival> enter_uplink(Event event);
  std::optional<Arrival> enter_downlink(Event event);

  FabricConfig config_;
  std::vector<Server> pairs_;
  std::vector<LinkState> states_;  ///< of the pairs
  std::vector<std::optional<Server>> uplinks_, downlinks_;
  std::map<Flow, Server> flows_;  ///< where their rate is capped
  std::mt19937_64 random_;
  std::vector<Event> heap_;
  std::uint64_t created_ = 0;
};

}  // namespace wan::lab
