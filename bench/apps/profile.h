// SPDX-License-Identifier: BSD-3-Clause
// Time in MPI: profile.cc takes the place of the MPI functions that the applications and ScaLAPACK call
// (MPI's profiling interface) and adds up how long they take and how often they are called. Threads: one.
#pragma once

#include <string>

#include "base/types.h"

namespace wan::bench {

/// Starts from nothing.
void reset_profile();
/// Since then, in MPI calls.
Nanoseconds profiled_ns();
/// Since then: "bcast 64, allreduce 2", by name.
std::string profiled_calls();

}  // namespace wan::bench
