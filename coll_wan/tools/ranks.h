// SPDX-License-Identifier: BSD-3-Clause
// Communicators as the command line of a tool names them. Pure functions; no threads. Tested by
// tests/golden/plan_test.sh.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "topo/site_file.h"
#include "topo/topology.h"

namespace wan::tools {

/// "aabbc": a letter a rank; or "paris/h1,paris/h2,tokyo/h1": a path a rank.
Result<std::vector<Path>> paths_of_labels(std::string_view labels);

/// A rank for each slot of each host that the file lists, site by site; a site whose hosts cannot be listed
/// has one host of one slot. `ranks`: empty, or "4" ranks in each site, or "7,5,3" by site, spread evenly
/// over the site's hosts.
Result<std::vector<Path>> paths_of_file(const SiteFile& file, std::string_view ranks);

/// Whole numbers, 0 or more, separated by commas; `option` stands in error messages.
Result<std::vector<Count>> parse_counts(std::string_view text, std::string_view option);

}  // namespace wan::tools
