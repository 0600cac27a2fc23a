// SPDX-License-Identifier: BSD-3-Clause
// Region and zone of the node that a pod runs on. Kubernetes 1.35 copies a node's topology labels to its pods
// (KEP-4742), and the downward API hands them to the processes: as environment variables, whose names the
// manifest chooses, or as the file /etc/podinfo/labels, which processes that sshd starts find too. Pure
// functions; no threads. Tested by tests/unit/discover_kubernetes.cc and tests/fuzz/discover_pod_labels.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "discover/finding.h"
#include "discover/surroundings.h"

namespace wan {

/// {region, zone}, {zone} or {region}, by the first of KUBERNETES_, and inside a pod also NODE_ and
/// TOPOLOGY_, with REGION and ZONE behind it that is set; else by the pod's labels. Zones are sites: equal
/// zones settle that processes are together. Equal regions prove nothing.
std::optional<Finding> find_in_kubernetes(const Surroundings& surroundings);

/// Value of a label in the text of a downward API volume, whose lines are KEY="VALUE";
/// empty if there is none. Label values need no escapes, and one with an escape is not read.
std::string label_in(std::string_view labels, std::string_view key);

}  // namespace wan
