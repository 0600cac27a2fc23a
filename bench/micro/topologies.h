// SPDX-License-Identifier: BSD-3-Clause
// The communicators that the micro-benchmarks plan for: equal sites of so many ranks, eight a host, with
// equal or unequal links.
#pragma once

#include <string>
#include <vector>

#include "topo/topology.h"

namespace wan::bench {

enum class Links : std::uint8_t {
  equal,   ///< 10 ms, 12.5 MB/s
  unequal  ///< each at random: 5 to 130 ms, 4 to 100 MB/s; the same in every run
};

struct Shape {
  SiteIndex sites;
  Rank ranks;  ///< of each site
  Links links;

  std::string name() const;  ///< "64x64/unequal"
};

/// What the benchmarks run over: 4 x 4, 64 x 64, 1,000 x 1,000, each with both kinds of links.
std::vector<Shape> all_shapes();

std::vector<Path> paths_of(const Shape& shape);
std::vector<Link> links_of(const Shape& shape);
Network network_of(const Shape& shape);
/// Made when it is first asked for.
const Topology& topology_of(const Shape& shape);

}  // namespace wan::bench
