// SPDX-License-Identifier: BSD-3-Clause
// Hands the sources of sites (discover/collect.h) the environment of this process, and finds its host and the
// NUMA domain if it is bound to one. Which of the sources is believed is decided later, from what all
// processes have published. Threads: runs once, while the component opens. Tested by: tests/mpi (labels,
// files, Slurm, Kubernetes), tests/negative (hosts that no pattern matches).
#pragma once

#include "mca/parameters.h"
#include "process/record.h"

namespace wan {

/// The record of this process; bad input becomes its `complaint`.
ProcessRecord find_place(const Result<Parameters>& parameters);
/// The record of the job, as this process sees it. parameters must hold a value.
JobRecord describe_job(const Parameters& parameters);

}  // namespace wan
