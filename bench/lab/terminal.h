// SPDX-License-Identifier: BSD-3-Clause
// Job control of the terminal on standard input: the lab's command reads from it and gets ctrl-C, as if it
// had been started without a lab. Tested by bench/lab/tests/lab_terminal_test.sh.
#pragma once

#include <sys/types.h>

namespace wan::lab {

/// Whether the caller's process group is the one that the terminal serves; false without a terminal.
bool has_terminal();
/// Lets the terminal serve process group `group` of the caller's session.
void give_terminal_to(pid_t group);

}  // namespace wan::lab
