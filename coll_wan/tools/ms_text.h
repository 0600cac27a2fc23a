// SPDX-License-Identifier: BSD-3-Clause
// Times as people read them.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/time.h"

namespace wan::tools {

/// "12.346": milliseconds, without a unit.
inline std::string ms_text(Nanoseconds time, int decimals = 3) {
  return fmt::format("{:.{}f}", in_ms(time), decimals);
}

}  // namespace wan::tools
