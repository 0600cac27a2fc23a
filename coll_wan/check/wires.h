// SPDX-License-Identifier: BSD-3-Clause
// The links of a Model while messages cross them: who is carried when. The arithmetic of the lab's emulator
// (bench/lab/fabric.h), for whole messages in place of packets and without bounds on the queues.
//
// A link serves one piece of a message after another, bytes/rate each, in the order of the calls of carry().
// A piece whose bits come more slowly than the link could carry them is to be offered at `due`, as late as
// does not delay its last bit; others may be carried meanwhile. Long messages that come slowly are to be cut,
// or they keep a link waiting. Between two processes of different sites there is a TCP connection each way.
// Where its window (Machine::flow_window) holds less than is to go, what is admitted beyond the window comes
// as the window's bytes are acknowledged: a window a round trip. Invariants: a link is never busy with two
// pieces; nothing leaves before it has come. No threads.
// Tested by tests/unit/check_wires.cc.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/simulate.h"

namespace wan {

class Wires {
 public:
  using LinkIndex = std::int32_t;
  /// One link on a message's way, and the time from its end to the next.
  struct Hop {
    LinkIndex link = 0;
    Nanoseconds latency_ns = 0;
  };
  /// At most: uplink, link, downlink.
  struct Way {
    Hop hops[3];
    int size = 0;
    int own = 0;  ///< hops that the sender's data must have left for the sender to be done with them
  };

  explicit Wires(const Model& model);

  Way way(Rank from, Rank to);
  /// What comes as `in` says, in the order of the calls for each pair of ranks: how the connection lets it
  /// go.
  Passage admit(Rank from, Rank to, Passage in, Bytes wire);
  /// Do the bits come more slowly than `link` carries them?
  bool is_slow(LinkIndex link, Passage in, Bytes wire) const;
  /// When what comes as `in` says is to be offered to `link`.
  Nanoseconds due(LinkIndex link, Passage in, Bytes wire) const;
  /// Carries it: how its bits leave.
  Passage carry(LinkIndex link, Passage in, Bytes payload, Bytes wire);
  /// All pieces of a message have crossed.
  void count_transmission(LinkIndex link);

  /// What the links have carried.
  SiteMatrix<LinkUse> between_sites() const;
  std::vector<LinkUse> uplinks() const;
  std::vector<LinkUse> downlinks() const;

 private:
  struct Wire {
    BytesPerSecond rate = 0;
    Nanoseconds free_at = 0;
    LinkUse use = {};
  };

  Wire& at(LinkIndex link) { return wires_[static_cast<std::size_t>(link)]; }
  const Wire& at(LinkIndex link) const { return wires_[static_cast<std::size_t>(link)]; }
  LinkIndex pair(SiteIndex from, SiteIndex to) const { return from * sites_ + to; }
  LinkIndex uplink(SiteIndex site) const { return sites_ * sites_ + site; }
  LinkIndex downlink(SiteIndex site) const { return sites_ * (sites_ + 1) + site; }
  Way remote_way(Rank from, Rank to) const;
  LinkIndex local_link(std::int32_t from, std::int32_t to, Proximity proximity);
  std::vector<LinkUse> uses_from(LinkIndex first) const;

  const Model& model_;
  SiteIndex sites_;
  std::vector<Wire>
      wires_;  ///< of pairs of sites, uplinks, downlinks; then those inside sites, as they are needed
  std::unordered_map<std::uint64_t, LinkIndex> local_links_;
  std::unordered_map<std::uint64_t, Nanoseconds>
      acknowledged_at_;  ///< of a connection: when all that it admitted will be, at a window a round trip
};

}  // namespace wan
