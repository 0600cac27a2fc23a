// SPDX-License-Identifier: BSD-3-Clause
#include "bench/micro/topologies.h"

#include <map>
#include <random>

namespace wan::bench {

namespace {

constexpr Rank kRanksOfHost = 8;

Link any_link(std::mt19937_64& random) {
  return {static_cast<Nanoseconds>(5'000'000 + random() % 125'000'000),
          static_cast<BytesPerSecond>(4'000'000 + random() % 96'000'000), 0};
}

}  // namespace

std::string Shape::name() const {
  return std::to_string(sites) + "x" + std::to_string(ranks) +
         (links == Links::equal ? "/equal" : "/unequal");
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  for (const SiteIndex size : {4, 64, 1000})
    for (const Links links : {Links::equal, Links::unequal}) shapes.push_back({size, size, links});
  return shapes;
}

std::vector<Path> paths_of(const Shape& shape) {
  std::vector<Path> paths;
  for (SiteIndex site = 0; site < shape.sites; ++site)
    for (Rank rank = 0; rank < shape.ranks; ++rank)
      paths.push_back({"site" + std::to_string(site), "host" + std::to_string(rank / kRanksOfHost)});
  return paths;
}

std::vector<Link> links_of(const Shape& shape) {
  std::mt19937_64 random(1);
  std::vector<Link> links(static_cast<std::size_t>(shape.sites) * static_cast<std::size_t>(shape.sites),
                          Link{10'000'000, 12'500'000, 0});
  if (shape.links == Links::unequal)
    for (Link& link : links) link = any_link(random);
  return links;
}

Network network_of(const Shape& shape) {
  const std::vector<std::optional<BytesPerSecond>> uncapped(static_cast<std::size_t>(shape.sites));
  return {shape.sites, links_of(shape), uncapped, uncapped};
}

const Topology& topology_of(const Shape& shape) {
  static std::map<std::string, Topology> made;
  const auto found = made.find(shape.name());
  if (found != made.end()) return found->second;
  return made.emplace(shape.name(), Topology{Layout(paths_of(shape)), network_of(shape)}).first->second;
}

}  // namespace wan::bench
