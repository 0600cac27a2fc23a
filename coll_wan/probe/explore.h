// SPDX-License-Identifier: BSD-3-Clause
// The exploration of a job's network: two rounds of errands, and what follows from them. How errands are run
// is the surroundings' affair: sockets (probe/coordinator.h), or a simulated network. Tested by
// tests/property/probes.cc.
#pragma once

#include <optional>
#include <vector>

#include "probe/clusters.h"
#include "probe/links.h"
#include "probe/measurement.h"

namespace wan::probe {

class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Runs all errands at the same time, and returns what was found when all are done or time is up. Errands
  /// of hosts that do not answer are missing or have no round trips.
  virtual std::vector<Finding> run(const std::vector<Errand>& errands) = 0;
};

struct Exploration {
  Partition sites;
  std::vector<Level> levels;      ///< as the gaps show
  LinkMatrix links{0};            ///< between the sites
  std::vector<Finding> findings;  ///< all that was measured
  std::vector<Host> unreached;    ///< hosts of which nothing is known; each is a site of its own
};

/// What follows from what was measured, in one exploration or in several of the same hosts: round trips of
/// all are taken together, and so are trains. So the least round trip stands, which nothing has held up, and
/// of the rates the middle one. known_sites: a label for each host where somebody has said which hosts belong
/// together; only links are looked for then.
Exploration conclude(int hosts, const std::optional<std::vector<int>>& known_sites,
                     std::vector<Finding> findings);

/// Two rounds, and what follows from them.
Exploration explore(int hosts, const std::optional<std::vector<int>>& known_sites,
                    Surroundings& surroundings);

}  // namespace wan::probe
