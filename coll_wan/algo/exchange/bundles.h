// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives: what goes along many edges from one site to another goes as one message, where
// that is quicker (cost/model.h). Of a pair of sites, the lowest rank that sends collects, and the lowest
// that receives hands out: both have edges themselves, so who has none has nothing to do. Data that a rank
// sends to all its neighbours alike cross once.
//
//   edges 0->4 1->4 1->5 2->6, sites {0..3} {4..7}:   1 -> 0: two blocks, 2 -> 0: one;  0 ===> 4: four;  4 ->
//   5, 4 -> 6: one each
//
// Once for each communicator the ranks of a site tell each other their edges to other sites, without a
// message between sites: first how many, then which. As both sites know the same edges, both decide alike.
// Tested by tests/unit/algo_bundles.cc.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/tuning.h"
#include "plan/program.h"
#include "topo/topology.h"

namespace wan {

/// One end of an edge. peer -1 (MPI_PROC_NULL): nothing moves and `data` is left as it is.
struct Edge {
  Rank peer = -1;
  Range data = {};
  Rank sends = 0;  ///< of a destination: how many other ranks it sends to, where that is known
  Count load = 0;  ///< of a destination: what it has to do afterwards, where it has said so
  friend bool operator==(const Edge&, const Edge&) = default;
};

/// The edges of one rank, in pairing order: the k-th edge a -> b in the destinations of a is the k-th edge
/// from a in the sources of b. Distributed graph topologies list them so; for a cartesian one, list the
/// destinations dimension by dimension as (down, up) and the sources as (up, down), because what goes down
/// arrives from above: with a period of 1 or 2 both are the same rank. Ranges are of the input (destinations)
/// and the output (sources).
struct Neighborhood {
  std::vector<Edge> sources, destinations;
  friend bool operator==(const Neighborhood&, const Neighborhood&) = default;
};

/// What tells neighbourhood collectives apart.
struct NeighborTraits {
  bool gathers = false;  ///< allgather(v): a rank has the same data for all
  bool vector = false;   ///< allgatherv, alltoallv, alltoallw: who passes data on must be told their lengths
  friend bool operator==(const NeighborTraits&, const NeighborTraits&) = default;
};

/// An edge between two sites.
struct Crossing {
  Rank source = 0, destination = 0;
  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

/// The edges from one site to another.
struct Bundle {
  SiteIndex from = 0, to = 0;
  Rank collector = 0;    ///< the lowest rank of `from` that has an edge
  Rank distributor = 0;  ///< the lowest of `to`
  Bytes limit = 0;       ///< of what is not the same for all neighbours, longer data go directly
  /// Bit k, for each kind of collective (index_of()): data of 2^(k-1) + 1 to 2^k bytes on every edge go
  /// together.
  std::array<std::uint32_t, 4> together{};
  /// Ascending; those between two ranks in pairing order. All of them on the collector and the distributor,
  /// elsewhere one's own.
  std::vector<Crossing> edges;

  /// Do data of this length go together with others? Equal on all ranks that have a part in it. Not so if
  /// there are none.
  bool carries(Bytes length, NeighborTraits traits) const;
  /// Of any length?
  bool serves(NeighborTraits traits) const { return together[index_of(traits)] != 0; }
  bool is_passed_on_by(Rank rank) const { return rank == collector || rank == distributor; }
  static std::size_t index_of(NeighborTraits traits) {
    return (traits.gathers ? 2U : 0U) + (traits.vector ? 1U : 0U);
  }
};
/// Those in which a rank has a part, ordered by `from` and `to`.
using Bundles = std::vector<Bundle>;

/// May messages go together, on several sites? Equal on all ranks.
bool may_bundle(const Topology& topology, const Tuning& tuning);

/// What a rank tells first: for each site, the number of its edges to it and from it; 0 for its own.
std::vector<Count> crossing_numbers(const Layout& layout, Rank me, const Neighborhood& edges);
/// What it tells then, when it has heard the numbers of its site's ranks (ascending): the other ends of those
/// edges that more may go along.
std::vector<Count> crossing_list(const Layout& layout, Rank me, const Neighborhood& edges,
                                 std::span<const Count> numbers);
/// How many Counts the lists of its site's ranks have.
std::vector<Count> list_lengths(const Layout& layout, Rank me, std::span<const Count> numbers);
/// From what it has heard.
Bundles bundles_of(const Topology& topology, const Tuning& tuning, Rank me, std::span<const Count> numbers,
                   std::span<const Count> lists);

/// The ranks of a site tell each other Counts; counts[i]: how many its i-th rank does. Input: one's own;
/// output: all of them.
Program plan_site_exchange(const Topology& topology, const Tuning& tuning, Rank me,
                           std::span<const Count> counts);

}  // namespace wan
