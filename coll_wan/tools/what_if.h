// SPDX-License-Identifier: BSD-3-Clause
// Changes to a topology: another latency, a faster link, a site more or less. Pure; bad input is a
// UsageError. Tested by tests/unit/tools_topology.cc and tests/wanctl/simulate_test.sh.
#pragma once

#include <string>
#include <vector>

#include "tools/topology_document.h"

namespace wan::tools {

/// As text. A LINK is "paris:tokyo", both directions, or "paris>tokyo", one; "*" is any site. A value is a
/// quantity or a factor: "50 ms", "x2". Later ones see what earlier ones have changed.
struct WhatIf {
  std::vector<std::string> without_sites{};  ///< "paris"
  std::vector<std::string> sites{};  ///< "oslo" or "oslo=4", with so many ranks; its links are the default
  std::vector<std::string> latencies{}, bandwidths{};  ///< "LINK=VALUE"
  std::vector<std::string> uplinks{}, downlinks{};     ///< "SITE=VALUE"

  bool is_empty() const {
    return without_sites.empty() && sites.empty() && latencies.empty() && bandwidths.empty() &&
           uplinks.empty() && downlinks.empty();
  }
};

/// What --topology and --ranks say.
struct Setting {
  TopologyDocument document;
  std::string ranks;
};

Setting changed(Setting setting, const WhatIf& what_if);

}  // namespace wan::tools
