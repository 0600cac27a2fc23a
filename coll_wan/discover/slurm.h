// SPDX-License-Identifier: BSD-3-Clause
// What Slurm tells of a process: its cluster (SLURM_CLUSTER_NAME), the group of a heterogeneous job that its
// host belongs to (SLURM_HET_SIZE, SLURM_JOB_NODELIST_HET_GROUP_n), and the switches above its host
// (SLURM_TOPOLOGY_ADDR, or else topology.yaml or topology.conf beside slurm.conf). Two clusters are two
// sites; one cluster may have nodes at several. Groups and switches are hints: a machine room has many. No
// threads. Tested by tests/unit/discover_slurm.cc.
#pragma once

#include <optional>

#include "discover/finding.h"
#include "discover/surroundings.h"

namespace wan {

/// {cluster, group, uppermost switch, ..., leaf switch}, as far as they are known. `asked`: files are read
/// only for a user who has named the source. The error is that of a file.
Result<std::optional<Finding>> find_in_slurm(const Surroundings& surroundings, Asked asked);

/// "root.s1" of SLURM_TOPOLOGY_ADDR="root.s1.tux5" and SLURM_TOPOLOGY_ADDR_PATTERN="switch.switch.node", as
/// {"root", "s1"}; empty where the two do not have as many parts, or name no switch.
Path switches_in(std::string_view address, std::string_view pattern);

/// What topograph's file says of a host: a user who gives it wants its switches to count.
Result<std::optional<Finding>> find_in_topograph(const Surroundings& surroundings);

}  // namespace wan
