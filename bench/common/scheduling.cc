// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/scheduling.h"

#include <sched.h>
#include <sys/prctl.h>

#include <cstdio>

namespace wan::bench {

void schedule(Scheduling wish) {
  prctl(PR_SET_TIMERSLACK, 1);
  const sched_param lowest{sched_get_priority_min(SCHED_RR)};  // below the emulator
  if (wish == Scheduling::real_time && sched_setscheduler(0, SCHED_RR, &lowest) != 0) {
    std::perror("normal scheduling");
  }
}

}  // namespace wan::bench
