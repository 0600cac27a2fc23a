// SPDX-License-Identifier: BSD-3-Clause
// A topology as tables for people. Pure functions; no threads. Tested by tests/wanctl/topology_test.sh.
#pragma once

#include <string>

#include "tools/topology_document.h"
#include "topo/site_file.h"

namespace wan::tools {

/// The sites with their hosts, and all links between sites; `document`: that of `file`.
std::string topology_tables(const SiteFile& file, const TopologyDocument& document);

}  // namespace wan::tools
