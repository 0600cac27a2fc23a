// SPDX-License-Identifier: BSD-3-Clause
// Finds out where this process runs: its site from coll_wan_site, the topology file or, where that does not
// know the host, its subnet; below it the host, below that the NUMA domain if the process is bound to one
// (blueprint, section 7). Threads: runs once, while the component opens. Tested by: tests/mpi (labels, files,
// hosts that no pattern matches).
#pragma once

#include "mca/parameters.h"
#include "process/record.h"

namespace wan {

/// The record of this process; bad input becomes its `complaint`.
ProcessRecord find_place(const Result<Parameters>& parameters);
/// The record of the job, as this process sees it. parameters must hold a value.
JobRecord describe_job(const Parameters& parameters);

}  // namespace wan
