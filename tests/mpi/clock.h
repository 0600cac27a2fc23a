// SPDX-License-Identifier: BSD-3-Clause
// The clock that all processes of one machine share: barriers are judged by it.
// Threads: any. Tested by: the negative control "barrier" of tests/mpi/run.
#pragma once

#include <time.h>

#include <cstdint>

namespace mpitest {

/// Nanoseconds since the machine started.
inline std::int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

}  // namespace mpitest
