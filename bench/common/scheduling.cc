// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/scheduling.h"

#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace wan::bench {

namespace {

/// False if that is not allowed.
bool make_real_time(int thread) {
  const sched_param lowest{sched_get_priority_min(SCHED_RR)};  // below the emulator
  return sched_setscheduler(thread, SCHED_RR, &lowest) == 0 || errno == ESRCH;
}

}  // namespace

void schedule(Scheduling wish) {
  prctl(PR_SET_TIMERSLACK, 1);
  if (wish != Scheduling::real_time) return;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (!make_real_time(std::stoi(task.path().filename()))) return std::perror("normal scheduling");
  }
}

}  // namespace wan::bench
