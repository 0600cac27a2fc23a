// SPDX-License-Identifier: BSD-3-Clause
// Asks all sources what they know of this process. Pure functions over the surroundings; no threads. Tested
// by tests/unit/discover_collect.cc.
#pragma once

#include <span>
#include <vector>

#include "discover/finding.h"
#include "discover/surroundings.h"

namespace wan {

/// What the asked sources say of this process, one finding a source, in the order of `asks`. The error is a
/// mistake in what the user has given them; by default, no source finds any in what is only there.
Result<std::vector<Finding>> collect(const Surroundings& surroundings, std::span<const Ask> asks);

}  // namespace wan
