// SPDX-License-Identifier: BSD-3-Clause
// What this host says of itself. Reads the network's settings, the resolver, /proc, ompi_info and the
// topology file. Threads: one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/doctor/facts.h"

namespace wan::tools::doctor {

/// All but name, token and listeners. `names`: the hosts, as the user named them. `topology`: the file;
/// empty: what Open MPI finds as coll_wan_topology.
HostFacts gather(const std::vector<std::string>& names, const std::string& topology);

/// What `ompi_info --all --parsable` has printed. Tested by tests/unit/doctor_text.cc.
Software software_in(std::string_view ompi_info);
/// The value of one of its parameters: "mca:btl:tcp:param:btl_tcp_if_include:value:eth0".
std::string parameter_in(std::string_view ompi_info, std::string_view name);

}  // namespace wan::tools::doctor
