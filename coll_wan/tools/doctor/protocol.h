// SPDX-License-Identifier: BSD-3-Clause
// The orders of wanctl doctor to its agents (agent.h), as JSON both ways.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/doctor/facts_json.h"
#include "tools/doctor/peer_client.h"

namespace wan::tools::doctor {

/// What "facts" needs.
struct FactsOrder {
  std::map<std::string, std::string> environment;
  std::vector<std::string> names;
  std::string topology;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Target, address, port, purpose, token)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FactsOrder, environment, names, topology)

}  // namespace wan::tools::doctor
