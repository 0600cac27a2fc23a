// SPDX-License-Identifier: BSD-3-Clause
// The MCA parameters (mca_params/params.def): registration with Open MPI and their checked values.
// Threads: register_parameters() and read_parameters() run while the component opens, on one thread.
#pragma once

#include <string>

#include "base/result.h"

namespace wan {

/// The values of all parameters, with their defaults.
struct Parameters {
#define WAN_NUMBER(name, initial, lowest, highest, level, help) int name = initial;
#define WAN_CHOICE(name, initial, choices, level, help) std::string name = initial;
#define WAN_TEXT(name, level, help) std::string name;
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
};

/// Tells Open MPI about every parameter; 0, or Open MPI's error.
int register_parameters();
/// The values that the user set; the error names the parameter whose value is not one of those it takes.
Result<Parameters> read_parameters();

}  // namespace wan
