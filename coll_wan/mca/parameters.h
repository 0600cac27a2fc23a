// SPDX-License-Identifier: BSD-3-Clause
// The MCA parameters (mca_params/params.def): registration with Open MPI and their checked values.
// Threads: both functions run while the component opens, on one thread.
#pragma once

#include "base/result.h"
#include "process/parameters.h"

namespace wan {

/// Tells Open MPI about every parameter; 0, or Open MPI's error.
int register_parameters();
/// The values that the user set; the error names the parameter whose value is not one of those it takes.
Result<Parameters> read_parameters();

}  // namespace wan
