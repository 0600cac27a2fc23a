// SPDX-License-Identifier: BSD-3-Clause
// The performance variables of MPI_T: what process/statistics.h counts of a communicator, which a handle is
// bound to. Registered with the parameters, so that they can be listed and read wherever the component is
// loaded, whether it serves anything or not: of a communicator that it does not serve everything is 0.
// Threads: any. Tested by: tests/mpi/mpi_performance.cc.
#pragma once

namespace wan {

/// Tells Open MPI about all of them; 0, or Open MPI's error.
int register_performance_variables();
/// Is there a handle of a variable that needs calls to be predicted?
bool someone_reads_predictions();

}  // namespace wan
