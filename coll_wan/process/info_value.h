// SPDX-License-Identifier: BSD-3-Clause
// The values of info keys: what text means which. Pure functions. Tested by:
// tests/unit/process_info_value.cc, tests/fuzz.
#pragma once

#include <optional>
#include <string_view>

#include "base/types.h"

namespace wan {

/// A whole number, 0 or more; nullopt if `text` is none.
std::optional<Count> load_named(std::string_view text);
/// true, false, 1 or 0; nullopt if `text` is none of these.
std::optional<bool> truth_named(std::string_view text);

}  // namespace wan
