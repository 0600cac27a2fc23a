// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a benchmark are scheduled on a machine with fewer processors.
#pragma once

#include <cstdint>

namespace wan::bench {

enum class Scheduling : std::uint8_t { normal, real_time };

/// Of the process. real_time: before all else on the machine but the lab's emulator, round robin, where that
/// is allowed: a rank that waits for a compiler measures the compiler. All its threads are: a rank that waits
/// for one of Open MPI's would wait for all other ranks. Makes the calling thread's sleeps end when they
/// should.
void schedule(Scheduling wish);

}  // namespace wan::bench
