// SPDX-License-Identifier: BSD-3-Clause
// What wan-calibrate has measured of a machine, as a file for the programs that predict: a line "name,value"
// for each value of cost/machine.h that it can measure; the others keep their defaults. Tested by
// bench/common/machine_file_test.cc.
#pragma once

#include <string>

#include "base/result.h"
#include "cost/machine.h"

namespace wan::bench {

std::string machine_text(const Machine& machine);
/// `file` stands in error messages. An error if a line is none of machine_text()'s.
Result<Machine> parse_machine(const std::string& text, const std::string& file);

}  // namespace wan::bench
