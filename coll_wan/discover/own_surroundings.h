// SPDX-License-Identifier: BSD-3-Clause
// The surroundings of the process that asks: its environment, the files that it can read, its host. The only
// place where sources of sites get them from the system; a job (mca/place.cc) and wanctl topology here ask
// alike. Threads: while nobody changes the environment, any. Tested by
// tests/unit/discover_own_surroundings.cc.
#pragma once

#include <string>

#include "discover/surroundings.h"

namespace wan {

/// Of this process on `host`, without addresses and subnet.
Surroundings own_surroundings(std::string host);
/// Adds those of this host.
void add_own_addresses(Surroundings& here);

}  // namespace wan
