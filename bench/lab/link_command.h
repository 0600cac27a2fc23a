// SPDX-License-Identifier: BSD-3-Clause
// The words by which the links of a running lab are changed: FROM TO down|up|latency VALUE|bandwidth
// VALUE|loss VALUE [one-way]. FROM and TO are names of sites, or "*": every other site. Pure. Tested by
// bench/lab/tests/emulator_test.cc.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "bench/lab/fabric.h"

namespace wan::lab {

struct LinkCommand {
  std::vector<std::pair<SiteIndex, SiteIndex>> pairs;  ///< directed
  LinkChange change;

  friend bool operator==(const LinkCommand&, const LinkCommand&) = default;
};

inline constexpr const char* kLinkUsage =
    "FROM TO down|up|latency VALUE|bandwidth VALUE|loss VALUE [one-way]";

/// What `words` mean in a lab with these sites; without "one-way" both directions. The error names the word.
Result<LinkCommand> parse_link_command(const std::vector<std::string>& words,
                                       const std::vector<std::string>& sites);

}  // namespace wan::lab
