// SPDX-License-Identifier: BSD-3-Clause
// The command that runs in a lab: started inside a host, watched to its end. Runs in the first process of the
// lab's process namespace, so it also reaps whatever daemons leave behind. Tested by
// bench/lab/tests/lab_takedown_test.sh.
#pragma once

#include <string>
#include <vector>

#include "bench/lab/sites.h"
#include "bench/lab/system.h"

namespace wan::lab {

/// Runs `command` in `host` and returns its exit status, or 128 + the signal that ended it. SIGINT, SIGTERM
/// and SIGHUP go to the command, which gets 10 s to end; a second one, or the end of `parent_alive`, ends it
/// at once.
int run_job(std::vector<std::string> command, const HostNamespaces& host, const Fd& parent_alive);

/// Becomes `words` (joined by spaces, read by a shell, as ssh does) inside `host`. Does not return.
[[noreturn]] void become_shell_in(const HostNamespaces& host, const std::vector<std::string>& words);

}  // namespace wan::lab
