// SPDX-License-Identifier: BSD-3-Clause
// coll_wan_report: the job's first process writes what it knows of its calls when MPI_Finalize begins
// (process/report.h). A job that a program spawns writes none, as it would take the same file. Threads:
// prepare and write on one, the rest any. Tested by: tests/mpi/run, tests/negative.
#pragma once

#include "mca/ompi.h"
#include "process/parameters.h"

namespace wan {

/// Where the component opens: finds out whether this process is to write a report, and whether it can. If it
/// cannot it says so now, and there is none.
void prepare_report(const Parameters& parameters);
/// Does this process write one?
bool reports();
/// Has it written when MPI_Finalize begins; once, in MPI_Init.
void report_at_finalize();

}  // namespace wan
