// SPDX-License-Identifier: BSD-3-Clause
// Counts what a program has of C++'s memory: this file's source replaces operator new. Of coll_wan that is
// all but what Open MPI allocates for it. Threads: any.
#pragma once

#include <cstdint>

namespace wan {

/// Bytes that operator new has given out and that are still in use, as malloc rounds them.
std::int64_t bytes_in_use();
/// The most since the last watch_memory(), which begins with what is in use then.
std::int64_t most_bytes_in_use();
void watch_memory();

}  // namespace wan
