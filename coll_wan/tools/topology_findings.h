// SPDX-License-Identifier: BSD-3-Clause
// What is legal in a topology file and probably not what its author meant. Pure; no threads. Tested by
// tests/unit/tools_topology.cc, which has an example of each kind.
#pragma once

#include <string>
#include <vector>

#include "topo/site_file.h"

namespace wan::tools {

struct Finding {
  std::string kind;     ///< for programs: "detour"
  std::string subject;  ///< what it is about: "paris -> tokyo"
  std::string text;     ///< what is suspicious, and what may be meant
};

std::vector<Finding> findings_of(const SiteFile& file);

}  // namespace wan::tools
