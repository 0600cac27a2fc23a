// SPDX-License-Identifier: BSD-3-Clause
// The ways in which a collective can be done between sites, where there is more than one; what the user may
// force.
//
//   direct      every message from where its data are to where they must be (bcast, reduce, allreduce,
//               scans: to every site)
//   spread      a part of the vector for each site, which passes it on (algo/parts.h); direct where that
//               cannot be: two sites, a reduction in rank order, a scan over sites whose ranks are not
//               contiguous
//   aggregate   the blocks of a site through its coordinator, one message for each pair of sites
//   relayed     parts of what a site sends by way of other sites, where links are so slow or long that this
//               is quicker (algo/route_choice.h); direct where it is not
//   tree        from site to site, by the tree over them that is quickest (algo/wide_tree.h); direct on
//               fewer than three sites
//
// Tested by tests/unit/algo_algorithm.cc.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "plan/call.h"

namespace wan {

enum class Algorithm : std::uint8_t { automatic, direct, spread, aggregate, relayed, tree };

/// "auto", "direct", ...
std::string_view name_of(Algorithm algorithm);

/// What can be chosen for a collective, `automatic` first; that alone where there is nothing to choose.
std::span<const Algorithm> algorithms_of(Collective collective);
/// Is it one of them?
bool has_algorithm(Collective collective, Algorithm algorithm);

/// The one of algorithms_of(collective) with this name.
std::optional<Algorithm> algorithm_named(std::string_view name, Collective collective);

/// One Algorithm for each collective.
class AlgorithmChoice {
 public:
  Algorithm of(Collective collective) const { return chosen_[static_cast<std::size_t>(collective)]; }
  /// `algorithm` must be one of algorithms_of(collective).
  void force(Collective collective, Algorithm algorithm);

 private:
  std::array<Algorithm, kCollectives> chosen_{};
};

}  // namespace wan
