// SPDX-License-Identifier: BSD-3-Clause
// What wan-calibrate has measured of a host, as a file: a line "name,value" for each value of Machine
// (topo/machine.h) that it can measure; the others keep their defaults. Jobs read the one that is kept of
// their first process's host (probe/cache.h). No threads. Tested by tests/unit/cost_machine_file.cc.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "topo/machine.h"

namespace wan {

std::string machine_text(const Machine& machine);
/// `file` stands in error messages. An error if a line is none of machine_text()'s.
Result<Machine> parse_machine(std::string_view text, const std::string& file);

/// As plans may believe it. Each value is at most 32 times as high or as low as the default: a host that was
/// busy when it was measured must not decide how others send. The processors that ranks share, and the window
/// of a connection, are not those of this job.
Machine believable(const Machine& measured);

}  // namespace wan
