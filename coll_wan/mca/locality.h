// SPDX-License-Identifier: BSD-3-Clause
// Where on its host this process is bound, by hwloc. Threads: one, while the component opens. Tested by:
// tests/mpi/locality_test.sh, with topologies of hwloc's own making.
#pragma once

#include <string>

namespace wan {

struct Locality {
  std::string numa_domain = {};  ///< "numa3" if it is bound inside one of several; empty otherwise
  bool near_network = false;     ///< and that holds the network interface
};

/// interface: the one that leads to other hosts, such as "eth0".
Locality own_locality(const std::string& interface);

}  // namespace wan
