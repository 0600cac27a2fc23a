// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives: along each edge of the process topology one message, from this rank to those
// first whose message is followed by most (algo/exchange/send_order.h), or, where many lead from one site to
// another, one for all of them (algo/exchange/bundles.h). Cut into segments as those of other collectives.
// Tested by tests/unit/algo_neighbor.cc.
#pragma once

#include <span>
#include <vector>

#include "algo/exchange/bundles.h"
#include "algo/services/survey.h"
#include "algo/tuning.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// One rank's view of a neighbourhood collective.
struct NeighborCall {
  NeighborTraits traits;
  BufferLengths lengths;  ///< of input and output; scratch 0
  Neighborhood edges;
  /// Of each Bundle, the bytes on each of its edges (bundled_lengths()); empty if there are none.
  std::vector<std::vector<Count>> bundled = {};
  friend bool operator==(const NeighborCall&, const NeighborCall&) = default;
};

Program plan_neighbors(const Topology& topology, const Tuning& tuning, Rank me, const NeighborCall& call,
                       const Bundles& bundles = {});

/// Without a survey: of a collective that is no vector form a rank's own edges tell the lengths of all;
/// otherwise only its own are known.
std::vector<std::vector<Count>> bundled_lengths(const Layout& layout, Rank me, const Bundles& bundles,
                                                NeighborTraits traits, const Neighborhood& edges);

/// Before a vector form: those who pass data of a bundle on hear how long these are. The same for all calls.
class LengthSurvey {
 public:
  LengthSurvey(const Layout& layout, Rank me, const Bundles& bundles, NeighborTraits traits);

  /// Input: told(); output: what bundled_lengths() is given. Empty if nobody has anything to tell this rank
  /// or to hear from it.
  const Program& program() const { return program_; }
  std::vector<Count> told(const Layout& layout, Rank me, const Bundles& bundles,
                          const Neighborhood& edges) const;
  std::vector<std::vector<Count>> bundled_lengths(const Layout& layout, Rank me, const Bundles& bundles,
                                                  const Neighborhood& edges,
                                                  std::span<const Count> heard) const;

 private:
  struct Place {
    std::size_t bundle, edge;
  };
  struct Message {
    Rank peer;
    Count first, number;  ///< of the Counts
  };
  struct Messages {
    std::vector<Message> sent, received;
  };
  void add_bundle(const Layout& layout, Rank me, const Bundles& bundles, std::size_t index,
                  Messages& messages);

  std::vector<Place> told_, heard_;  ///< whose lengths go, and come, in this order
  Program program_;
};

/// Against the direction of the edges: every rank tells those whose messages it receives what it has to do
/// afterwards. Input: a Count; output: a Count of each of `ranks`, which are those that `me` sends to.
Survey plan_load_survey(Rank me, Rank size, const Neighborhood& edges);

}  // namespace wan
