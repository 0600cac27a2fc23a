// SPDX-License-Identifier: BSD-3-Clause
// When does each step of a Schedule end? Event-driven, over the cost model (cost/model.h), in the manner of
// LogGP (Alexandrov et al., 1995) with the contention that LogGP leaves out. Knows no algorithm. All ranks
// enter at 0.
//
// Rules
//  - A rank is one processor. Overheads, copies, reductions and the two answers of a rendezvous are done one
//    at a time, in the order in which they become possible; of those that become possible at one instant
//    messages are issued first, then local steps run, then arrivals are seen to, each by step number (as
//    run/execution.h does).
//  - Where ranks share processors (Machine::processors), one that has something to do gets a processor in its
//    turn, the first that came first, and keeps it until it has nothing left to do.
//  - Messages of one direction to one peer are issued in step order (invariant 1), no more sends than
//    Program::send_limit allows being under way.
//  - Links carry one message after another, first come first served, cut-through (check/wires.h): one link
//    for each directed pair of sites, of hosts within a site, of processes within a host; before and behind
//    the sites' links the access links that have a cap. Long messages that come to a link more slowly than it
//    could carry them are cut into at most 16 pieces, so that they share it. Host interfaces are no links of
//    their own: the lab's have no limit, and a site's hosts are taken to have what its access link needs.
//  - What a process sends to one of another site goes over one TCP connection, with a window
//    (Machine::flow_window).
//  - A send within the eager limit ends when the processor has done its part. A longer one sends its first
//    bytes as a request; the receiver answers when the receive is posted; then the rest goes, and the send
//    ends when its last byte has entered the wide area (or crossed the link inside a site).
//  - A receive ends when it is posted, all has arrived and the processor has taken it in.
// Invariants: deterministic; always ends: steps that cannot are reported; no link ever carries more than its
// rate.
// Threads: none. Tested by tests/unit/check_simulate.cc and tests/property/simulations.cc.
#pragma once

#include <optional>
#include <vector>

#include "check/entries.h"
#include "cost/model.h"
#include "cost/site_matrix.h"
#include "plan/program.h"

namespace wan {

/// What happened to a step, and when; nothing: it never did.
struct StepTimes {
  std::optional<Nanoseconds>
      ready;  ///< what it depends on had been done, its turn had come: a receive is posted
  std::optional<Nanoseconds> start;  ///< the processor took it up; of a receive: all had arrived
  std::optional<Nanoseconds> end;
  friend bool operator==(const StepTimes&, const StepTimes&) = default;
};

/// When the first and the last bit of something pass a point.
struct Passage {
  Nanoseconds first_bit = 0, last_bit = 0;
  friend bool operator==(const Passage&, const Passage&) = default;
};

enum class Protocol : std::uint8_t { eager, rendezvous };

/// A message that arrived.
struct Delivery {
  Place from, to;
  Bytes bytes = 0;
  Proximity proximity = Proximity::remote;
  Protocol protocol = Protocol::eager;
  Nanoseconds start = 0;  ///< of the send
  Passage
      left;  ///< onto the wide area (or the link inside the site), of a rendezvous what follows the answer
  Nanoseconds arrival = 0;  ///< of the last bit
};

/// What a link has carried.
struct LinkUse {
  std::int64_t transmissions = 0;  ///< messages, and the parts of a rendezvous
  Bytes payload = 0;
  Bytes wire = 0;           ///< with headers
  Nanoseconds busy_ns = 0;  ///< wire over rate
  friend bool operator==(const LinkUse&, const LinkUse&) = default;
};

struct Simulation {
  std::vector<std::vector<StepTimes>> steps;  ///< [rank][step]
  std::vector<Nanoseconds> rank_end;          ///< the last end of a step of each rank; 0: it has none
  Nanoseconds end = 0;                        ///< the last of all
  std::vector<Delivery> deliveries;           ///< by arrival
  SiteMatrix<LinkUse> between_sites;
  std::vector<LinkUse> uplinks, downlinks;  ///< by site; of uncapped ones nothing is recorded
  std::vector<Place> stuck;                 ///< steps that never end: the Schedule cannot finish

  bool is_finished() const { return stuck.empty(); }
};

/// One process for each rank of the model. `element_bytes`: size of an element, for Programs in elements
/// (reductions).
Simulation simulate(const Schedule& schedule, const Model& model, Bytes element_bytes);

}  // namespace wan
