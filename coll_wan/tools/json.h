// SPDX-License-Identifier: BSD-3-Clause
// JSON for programs: keys in the order in which they are written, times in nanoseconds and lengths in bytes,
// as their names say.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace wan::tools {

using Json = nlohmann::ordered_json;

inline void print_json(const Json& json) {
  fmt::print("{}\n", json.dump(2));
}

}  // namespace wan::tools
