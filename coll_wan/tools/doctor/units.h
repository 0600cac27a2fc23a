// SPDX-License-Identifier: BSD-3-Clause
// Quantities as text that the topology file takes ("12.5 MB/s", "40.2 ms"), three digits. Pure. Tested by
// tests/unit/doctor_text.cc.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace wan::tools::doctor {

/// "ams, fra"
std::string list(const std::vector<std::string>& words);

std::string time_text(Nanoseconds time);
std::string rate_text(BytesPerSecond rate);
std::string bytes_text(Bytes bytes);  ///< in powers of 1024

}  // namespace wan::tools::doctor
