// SPDX-License-Identifier: BSD-3-Clause
// From facts to findings. Pure functions: no clock, socket or environment. Each part of judge() sees all
// facts and leaves to the others what they name better: a host that does not answer is not blamed for its
// clock. Tested by tests/unit/doctor_judge_*.cc and, with planted faults, tests/lab/doctor_test.sh.
#pragma once

#include <vector>

#include "tools/doctor/facts.h"
#include "tools/doctor/finding.h"

namespace wan::tools::doctor {

std::vector<Finding> judge(const Facts& facts);

/// Hosts whose agent could not be started; own names and those of others.
std::vector<Finding> judge_names(const Facts& facts);
/// Versions of Open MPI and of coll_wan; the topology file.
std::vector<Finding> judge_software(const Facts& facts);
/// Interfaces, ways, firewalls, translated addresses.
std::vector<Finding> judge_network(const Facts& facts);
/// Packets that are too long for the way.
std::vector<Finding> judge_packets(const Facts& facts);
/// Buffers and congestion control; clocks.
std::vector<Finding> judge_tcp(const Facts& facts);
std::vector<Finding> judge_clocks(const Facts& facts);
/// Measured times and rates against the topology file.
std::vector<Finding> judge_links(const Facts& facts);

}  // namespace wan::tools::doctor
