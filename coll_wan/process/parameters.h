// SPDX-License-Identifier: BSD-3-Clause
// The values of all MCA parameters (mca_params/params.def), with their defaults. Plain data.
#pragma once

#include <string>

namespace wan {

struct Parameters {
#define WAN_NUMBER(name, initial, lowest, highest, level, help) int name = initial;
#define WAN_CHOICE(name, initial, choices, level, help) std::string name = initial;
#define WAN_TEXT(name, level, help) std::string name;
#include "mca_params/params.def"
#undef WAN_NUMBER
#undef WAN_CHOICE
#undef WAN_TEXT
};

}  // namespace wan
