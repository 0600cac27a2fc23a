// SPDX-License-Identifier: BSD-3-Clause
// Networks and layouts as the tests of cost/ write them down.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/quickest_flow.h"
#include "topo/topology.h"

namespace wan {

constexpr Bytes kMegabyte = 1'000'000;

constexpr Nanoseconds operator""_ms(unsigned long long value) {
  return static_cast<Nanoseconds>(value) * 1'000'000;
}
constexpr BytesPerSecond operator""_MBps(unsigned long long value) {
  return static_cast<BytesPerSecond>(value) * 1'000'000;
}

/// Equal links between all sites, to be changed one by one.
struct Mesh {
  Mesh(SiteIndex number, Nanoseconds latency_ns, BytesPerSecond rate)
      : sites(number),
        links(static_cast<std::size_t>(number * number), {latency_ns, rate}),
        uplinks(static_cast<std::size_t>(number)),
        downlinks(static_cast<std::size_t>(number)) {}

  Link& link(SiteIndex from, SiteIndex to) { return links[static_cast<std::size_t>(from * sites + to)]; }
  Network network() const { return {sites, links, uplinks, downlinks}; }

  SiteIndex sites;
  std::vector<Link> links;
  std::vector<std::optional<BytesPerSecond>> uplinks, downlinks;
};

inline Nanoseconds from_to(const Network& network, SiteIndex from, SiteIndex to, Bytes bytes) {
  return quickest_time(network, {&from, 1}, {&to, 1}, bytes);
}

/// One letter a rank, one letter a site: "aabc".
inline Layout layout(std::string_view sites) {
  std::vector<Path> paths;
  for (char site : sites) paths.push_back({std::string(1, site)});
  return Layout(paths);
}

}  // namespace wan
