// SPDX-License-Identifier: BSD-3-Clause
// The ways in which collectives can go between sites (algo/algorithms.def), and which of them the user
// forces. A call that cannot go the way that is forced goes directly, or, if its blocks are short, by
// coordinators: spread on two sites, in a reduction in rank order, or in a scan over sites whose ranks are
// not contiguous; relayed where that is no quicker than directly; tree on fewer than three sites. Tested by
// tests/unit/algo_algorithm.cc and algo_choice.cc.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "plan/call.h"

namespace wan {

enum class Algorithm : std::uint8_t {
  automatic,
#define WAN_WAY(algorithm, latencies, time, fallback, help) algorithm,
#include "algo/algorithms.def"
};

/// How many messages between sites an algorithm may have on a path, at most.
enum class MostLatencies : std::uint8_t {
  one,
  two,
  hops,  ///< kRouteHops
  sites  ///< one fewer than there are sites
};

/// Which calls may have lanes (algo/exchange/lanes.h).
enum class LaneUse : std::uint8_t { never, always, on_intracommunicators, in_any_order };

/// A row of the table.
struct AlgorithmTraits {
  Collective collective;
  Algorithm algorithm;
  LaneUse lanes;
};

/// "auto", "direct", ...
std::string_view name_of(Algorithm algorithm);
MostLatencies latencies_of(Algorithm algorithm);
/// May a call go this way where another one is forced that cannot be?
bool is_fallback(Algorithm algorithm);

/// The rows of a collective.
std::span<const AlgorithmTraits> rows_of(Collective collective);
/// What can be chosen for a collective, `automatic` first; that alone where there is nothing to choose.
std::span<const Algorithm> algorithms_of(Collective collective);
/// Of all neighbourhood collectives.
std::span<const Algorithm> algorithms_of_neighbors();
/// Can it be chosen?
bool has_algorithm(Collective collective, Algorithm algorithm);
/// May several processes of a site share such a call, by this algorithm, or by some algorithm of its
/// collective?
bool can_have_lanes(const Call& call, Algorithm algorithm);
bool can_have_lanes(const Call& call);

/// The one of algorithms_of(collective) with this name.
std::optional<Algorithm> algorithm_named(std::string_view name, Collective collective);

/// One Algorithm for each collective, and one for neighbourhoods.
class AlgorithmChoice {
 public:
  Algorithm of(Collective collective) const { return chosen_[static_cast<std::size_t>(collective)]; }
  Algorithm of_neighbors() const { return of_neighbors_; }
  /// `algorithm` must be one of algorithms_of(collective).
  void force(Collective collective, Algorithm algorithm);
  /// `algorithm` must be one of algorithms_of_neighbors().
  void force_neighbors(Algorithm algorithm);

 private:
  std::array<Algorithm, kCollectives> chosen_{};
  Algorithm of_neighbors_ = Algorithm::automatic;
};

/// From "bcast:tree,alltoall:direct,neighbor:aggregate", the value of `parameter`; nothing is forced by "".
/// The error names the entry that is wrong, and what there is.
Result<AlgorithmChoice> parse_algorithms(std::string_view text, const std::string& parameter);
/// What parse_algorithms() takes: "bcast:auto|direct|relayed|spread|tree, ...".
std::string known_algorithms();

}  // namespace wan
