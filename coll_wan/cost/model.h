// SPDX-License-Identifier: BSD-3-Clause
// The cost model: where the ranks sit, what lies between their sites, and what their machines cost. Says what
// one message between two ranks takes when nothing else is under way; what many take is for check/simulate.h.
//
//   sender     |o_s|==copy==|
//   link           |====== wire bytes / rate ======|-- latency -->|
//   receiver                                                      |o_r|==copy==|
//
// A link carries a message as it comes (cut-through), so the sender's copying and the links in a row do not
// add up; the receiver's copy begins when all has arrived. Above the eager limit: request with the first
// bytes, answer, rest. Invariants: immutable; equal arguments give equal times on every rank. No threads.
// Tested by tests/unit/cost_model.cc.
#pragma once

#include <algorithm>
#include <vector>

#include "base/rate.h"
#include "cost/machine.h"
#include "topo/topology.h"

namespace wan {

/// What lies between two processes.
enum class Proximity : std::uint8_t { same_host, same_site, remote };

/// The processor time of `bytes`, rounded up.
inline Nanoseconds processor_ns(Bytes bytes, PicosecondsPerByte each) {
  return (bytes * each + 999) / 1'000;
}

class Model {
 public:
  /// `topology` must outlive the Model. Its overheads take precedence over those of machine.tcp.
  Model(const Topology& topology, Machine machine);
  Model(Topology&&, Machine) = delete;

  const Topology& topology() const { return *topology_; }
  const Layout& layout() const { return topology_->layout; }
  const Network& network() const { return topology_->network; }
  const Machine& machine() const { return machine_; }

  /// Where no hosts are known, every process has its own.
  Proximity proximity(Rank a, Rank b) const;
  /// The processor's part of messages that `rank` exchanges at this distance.
  const Medium& medium(Proximity proximity) const {
    if (proximity == Proximity::remote) return to_other_sites_;
    return proximity == Proximity::same_host ? machine_.shared_memory : machine_.tcp;
  }
  Overheads overheads(Rank rank, Proximity proximity) const;
  /// Latency and rate between two ranks; the access links of sites (network()) come on top of it.
  const Link& link(Rank from, Rank to) const;
  /// The least rate on the way, access links included.
  BytesPerSecond rate(Rank from, Rank to) const;
  /// What a message's bytes become on the wire.
  Bytes wire_bytes(Proximity proximity, Bytes payload, Bytes header) const {
    return proximity == Proximity::same_host ? payload : machine_.framing.wire_bytes(payload, header);
  }

  /// From the start of a send to the end of its receive, posted early, of a message that has everything to
  /// itself.
  Nanoseconds message_ns(Rank from, Rank to, Bytes bytes) const;

 private:
  Nanoseconds flight_ns(Rank from, Rank to, Bytes wire, Nanoseconds feed_ns) const;
  Nanoseconds rendezvous_ns(Rank from, Rank to, Bytes bytes) const;

  const Topology* topology_;
  Machine machine_;
  Medium to_other_sites_;
};

}  // namespace wan
