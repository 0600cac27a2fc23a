// SPDX-License-Identifier: BSD-3-Clause
// The manual page of wanctl, made of what the subcommands declare. Tested by tests/wanctl/manual_test.sh.
#pragma once

#include <string>

#include "tools/commands.h"

namespace wan::tools {

/// As troff (man(7)).
std::string manual_of(const Commands& commands);

}  // namespace wan::tools
