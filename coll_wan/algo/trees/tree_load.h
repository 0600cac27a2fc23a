// SPDX-License-Identifier: BSD-3-Clause
// What a call puts on the edges of the trees inside its sites: the choice of their shapes depends on it
// (algo/trees/site_tree.h). Equal on all ranks of a site. Tested by tests/unit/algo_tree_load.cc.
#pragma once

#include "base/types.h"
#include "plan/call.h"
#include "plan/segmentation.h"
#include "topo/topology.h"

namespace wan {

struct TreeLoad {
  enum class Way : std::uint8_t { down, up, both };
  enum class Content : std::uint8_t {
    vector,  ///< the same bytes on every edge
    sum,     ///< the same number of bytes; what comes up is combined
    blocks   ///< so many for each rank below the edge
  };
  /// More is not told apart.
  static constexpr Bytes kMost = 1 << 30;

  Way way = Way::both;
  Content content = Content::vector;
  Bytes bytes = 0;            ///< of the vector, or for each rank; kMost at most
  Bytes segment = kMost;      ///< a vector goes in pieces of this length, 1 or more
  Nanoseconds period_ns = 0;  ///< between two pieces, as the wide area brings or takes them

  Bytes piece() const { return content == Content::blocks ? bytes : bytes < segment ? bytes : segment; }
  /// 1 or more.
  std::int64_t pieces() const {
    return content == Content::blocks || bytes == 0 ? 1 : (bytes + segment - 1) / segment;
  }
};

/// At `site`, of `call`, whose long messages inside a site are cut as `segmentation` says. Of alltoallv and
/// alltoallw what their survey has: the trees of both are one.
TreeLoad load_of(const Topology& topology, SiteIndex site, const Call& call,
                 const Segmentation& segmentation);
/// Two counts for each of so many ranks, from every rank.
TreeLoad load_of_survey(Rank size);

}  // namespace wan
