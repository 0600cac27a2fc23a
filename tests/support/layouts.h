// SPDX-License-Identifier: BSD-3-Clause
// Layouts as tests write them down: a word a rank, a letter a level.
//
//   "a1x a1y a2x b1x": site a with hosts 1 (NUMA domains x, y) and 2, site b
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "topo/topology.h"

namespace wan {

inline std::vector<Path> paths_of(const std::string& words) {
  std::istringstream in(words);
  std::vector<Path> paths;
  for (std::string word; in >> word;) {
    Path path;
    for (const char label : word) path.emplace_back(1, label);
    paths.push_back(path);
  }
  return paths;
}

inline Layout layout_of(const std::string& words) {
  return Layout(paths_of(words));
}

/// With equal links between all sites.
inline Topology topology_of(const std::string& words) {
  const Layout layout = layout_of(words);
  return {layout, Network(layout.sites(), Link{10'000'000, 12'500'000, 0})};
}

/// links: sites x sites, row-major by sender.
inline Network uncapped_network(SiteIndex sites, std::vector<Link> links) {
  const std::vector<std::optional<BytesPerSecond>> uncapped(static_cast<std::size_t>(sites));
  return {sites, std::move(links), uncapped, uncapped};
}

}  // namespace wan
