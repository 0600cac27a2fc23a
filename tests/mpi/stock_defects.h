// SPDX-License-Identifier: BSD-3-Clause
// Cases that stock Open MPI 4.1.4 gets wrong, left out wherever one of its own modules may serve them, so
// that a failure is always the component's. With `--mca coll wan` alone nothing is left out. Source: found by
// running this program on stock modules, each confirmed in Open MPI's source. Threads: no state. Tested by:
// mpi_collectives on stock modules without the exclusion (fails), with it (passes).
#pragma once

#include "case.h"

namespace mpitest {

/// Whether a stock module is known to fail this case in a job of `world_size` processes.
bool stock_fails(const Case& c, int world_size);

}  // namespace mpitest
