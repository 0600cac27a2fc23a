// SPDX-License-Identifier: BSD-3-Clause
// What a shell may complete. Tested by tests/wanctl/completion_test.sh.
#pragma once

#include <string>
#include <vector>

#include "tools/commands.h"

namespace wan::tools {

/// What stands for the names of files among the completions.
inline constexpr const char* kFiles = ":files";

/// The last of the words (those after "wanctl") is what has been typed of a word; nothing: "". Whole words
/// that begin with it, or kFiles.
std::vector<std::string> completions_of(const Commands& commands, const std::vector<std::string>& words);

}  // namespace wan::tools
