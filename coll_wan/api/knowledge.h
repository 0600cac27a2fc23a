// SPDX-License-Identifier: BSD-3-Clause
// Where the processes of a domain are, as the component finds out (discover/): each process states what it
// knows, and from the statements of all each makes the same map. Without MPI. Tested by
// tests/unit/api_knowledge.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "topo/machine.h"
#include "topo/topology.h"

namespace wan::multicast {

/// What the user has set for a process; empty: nothing.
struct Place {
  std::string site = {}, topology = {}, discover = {}, topograph = {};
  std::string cache = {};  ///< the folder where it is kept what messages cost a host (probe/cache.h)
};

/// Of the first process it is also stated what the topology file says, and what messages cost.
enum class Standing : std::uint8_t { first, other };

/// What a process on `host` states of itself. A mistake in what the user has set becomes part of it.
std::string statement(const Place& place, const std::string& host, Standing standing);

/// Places of processes, links between their sites, and what messages cost hosts.
struct Map {
  Layout layout;
  Network network;
  Machine machine;
};

/// What follows from the statements of all, by rank, the first of which is Standing::first. discover: as all
/// have set it. The error is a line that tells of a mistake, of the lowest rank that has made one.
tl::expected<Map, std::string> map_of(std::span<const std::string> statements, const std::string& discover);

}  // namespace wan::multicast
