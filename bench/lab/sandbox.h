// SPDX-License-Identifier: BSD-3-Clause
// The shell around a lab: process, mount, network and UTS namespaces (and a user namespace where we are not
// root) whose first process runs the lab. When that process ends, the kernel kills every process inside and
// takes down every namespace, interface and mount; when the outer process dies, the inner one notices and
// ends.
// Tested by bench/lab/tests/lab_takedown_test.sh, lab_user_namespace_test.sh.
#pragma once

#include <functional>
#include <string>

#include "bench/lab/system.h"

namespace wan::lab {

/// By whose right the namespaces are made.
enum class Privilege { kRoot, kUserNamespace };

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD in this process, to be read from signal_descriptor().
void block_signals();
/// A descriptor that gives those signals (signalfd), for the calling process.
Fd signal_descriptor();
/// The next signal from such a descriptor.
int read_signal(const Fd& signals);
/// Undoes block_signals() before an exec.
void unblock_signals();

/// Runs `body` as first process of new namespaces and returns its exit status; passes SIGINT, SIGTERM, SIGHUP
/// on to it. `body` gets a descriptor that reaches its end when the outer process dies. Call block_signals()
/// before. Throws Unavailable where the system does not allow it. The process must have one thread.
int run_in_sandbox(Privilege privilege, const std::function<int(const Fd& parent_alive)>& body);

/// Inside the sandbox: own mounts of /proc, /dev/shm and of `directory`, nothing of which is seen outside.
void mount_private_files(const std::string& directory);
/// Inside the sandbox: lets the file `source` stand in the place of `target`.
void mount_file_over(const std::string& source, const std::string& target);

}  // namespace wan::lab
