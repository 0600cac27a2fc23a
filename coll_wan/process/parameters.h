// SPDX-License-Identifier: BSD-3-Clause
// The values of all MCA parameters (mca_params/params.def), with their defaults, and whether they are such as
// the parameters take. Plain data, pure functions. Tested by: tests/unit/process_parameters.cc, tests/fuzz,
// tests/negative.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

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

/// The first value that its parameter does not take; nullopt if there is none.
std::optional<InputError> mistake_in(const Parameters& values);

/// May a program change the parameter while it runs (for communicators that it makes later)? Those that
/// concern what a process does by itself. The others shape plans, which all processes must make alike.
bool may_change(std::string_view parameter);

/// "0 to 100".
std::string range_text(int lowest, int highest);

}  // namespace wan
