// SPDX-License-Identifier: BSD-3-Clause
// Whether an allreduce by addition was right, found out without collectives: each rank's vector is added up
// in chunks, with random signs; these few numbers go to rank 0 and their sums come back, point to point. What
// is missing, twice or in the wrong place shows in its chunk.
#pragma once

#include <span>

namespace wan::bench {

/// True if `total` is the sum of all ranks' `own`, up to the rounding of single precision. Every rank of
/// MPI_COMM_WORLD calls it.
bool is_sum(std::span<const float> total, std::span<const float> own);

}  // namespace wan::bench
