// SPDX-License-Identifier: BSD-3-Clause
// Names for sites that nobody has named, from the names of their hosts. Pure functions; no threads. Tested by
// tests/unit/probe_restate.cc.
#pragma once

#include <string>
#include <vector>

#include "probe/clusters.h"

namespace wan::probe {

/// What the names of a site's hosts begin with, up to the number: "par" of par-01 and par-02. Where that is
/// nothing, or the beginning of two sites, the name of the site's first host. All names are different, and
/// such as a topology file takes.
std::vector<std::string> site_names(const Partition& sites, const std::vector<std::string>& host_names);

}  // namespace wan::probe
