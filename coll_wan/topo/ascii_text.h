// SPDX-License-Identifier: BSD-3-Clause
// The text of a topology file, reduced to ASCII. Every name and value of the format is ASCII, so other
// characters may stand in comments only; and toml++ 3.3 meets undefined behaviour at some of them outside
// strings and comments (its is_non_ascii_horizontal_whitespace has no case for U+00A1 to U+0499). Pure
// functions; no threads. Tested by tests/unit/topo_site_file.cc and tests/fuzz/topo_site_file.cc.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace wan {

/// `text` without byte order mark, and with '?' for each byte after a '#' of its line that is not ASCII. The
/// first such byte before any '#' is a mistake, told with line and character; the caller adds the file.
Result<std::string> ascii_text(std::string_view text);

}  // namespace wan
