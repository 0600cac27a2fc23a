// SPDX-License-Identifier: BSD-3-Clause
// Which interfaces of a host Open MPI would use for messages, and the options that choose better ones. Pure.
// Tested by tests/unit/doctor_text.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/doctor/facts.h"

namespace wan::tools::doctor {

/// True if the address lies in the network of "10.1.2.3/16"; false for a text that is no IPv4 network.
bool is_in_network(const std::string& address, std::string_view network);
/// "10.1.0.0/16"
std::string network_of(const Interface& interface);

/// Those that btl_tcp_if_include and btl_tcp_if_exclude leave; names, or networks with a slash.
std::vector<Interface> message_interfaces(const HostFacts& host);
/// Of these the one of the default route, or the first; nullptr if the host has none.
const Interface* main_interface(const std::vector<Interface>& interfaces);
const Interface* main_interface(std::vector<Interface>&& interfaces) =
    delete;  // it would point into what is gone
/// The interface that has the address; nullptr if the host has none such.
const Interface* interface_with(const HostFacts& host, std::string_view address);
/// True if more than one of the hosts has the address, as those of docker0.
bool is_on_several_hosts(const std::vector<HostFacts>& hosts, std::string_view address);

/// True if Open MPI is 5 or later there.
bool is_open_mpi_5(const HostFacts& host);
/// The options of mpirun that keep Open MPI to the interface of each host's default route: a name where it is
/// the same on all, else networks.
std::string interface_options(const std::vector<HostFacts>& hosts);

}  // namespace wan::tools::doctor
