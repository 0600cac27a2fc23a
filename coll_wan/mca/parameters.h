// SPDX-License-Identifier: BSD-3-Clause
// The MCA parameters (mca_params/params.def): registration with Open MPI and their checked values.
// Threads: the first two functions run while the component opens, on one thread.
#pragma once

#include "base/result.h"
#include "process/parameters.h"

namespace wan {

/// Tells Open MPI about every parameter; 0, or Open MPI's error.
int register_parameters();
/// The values that the user set; the error names the parameter whose value is not one of those it takes.
Result<Parameters> read_parameters();

/// `job`, with what this process has changed since the component opened, through control variables of MPI_T:
/// of those that concern a process alone (may_change()). From any thread.
Parameters with_changes(const Parameters& job);

}  // namespace wan
