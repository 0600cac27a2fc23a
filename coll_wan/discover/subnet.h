// SPDX-License-Identifier: BSD-3-Clause
// The subnet that a host is in: what stands for the site of a host that no topology file knows, so that the
// hosts of a cluster are one site and not one each. By default it makes no sites of its own: racks of one
// machine room have different subnets too, and private addresses say nothing of where they are. It is that of
// the interface over which the host reaches what is not on its own networks, for others (containers',
// management's) may exist on many sites under the same addresses. Threads: any. Tested by:
// tests/unit/discover_subnet.cc, tests/negative (hosts in no file).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topo/layout.h"

namespace wan {

/// An address of one of this host's interfaces.
struct InterfaceAddress {
  std::string interface;
  std::string address;  ///< IPv4 or IPv6, as text
  int prefix_bits = 0;
};

/// Those of this host, without loopback.
std::vector<InterfaceAddress> own_addresses();

/// The interface of the default route; empty if there is none. `table`: the text of Linux's /proc/net/route.
std::string interface_of_default_route(std::string_view table);
/// That text.
std::string own_routes();

/// Does `list`, of names of interfaces and blocks of addresses such as "eth0,10.0.0.0/8", have an entry for
/// this one?
bool is_listed(const InterfaceAddress& address, std::string_view list);

/// The interface that leads to other hosts: the first that `included` allows, a list of names and blocks of
/// addresses such as "eth0,10.0.0.0/8" (Open MPI's btl_tcp_if_include); if the list is empty, that of the
/// default route. Empty if there is none.
std::string interface_between_hosts(const std::vector<InterfaceAddress>& addresses, std::string_view included,
                                    std::string_view table);

/// "10.20.0.0/16": the subnet of the first address of `interface`, or, where that has none, of any that is
/// not link-local; empty if there is none. Where a host is told to be alone in its subnet, as clouds do,
/// that is taken for 24 bits (IPv4) or 64 (IPv6).
std::string subnet_of(const std::vector<InterfaceAddress>& addresses, std::string_view interface);

/// The subnets around "10.20.128.0/17", widest first, with itself: 8, 16, 24 bits (IPv4) or 32, 48, 56, 64
/// (IPv6). The first of them in which hosts differ tells where the longest common prefix of all ends.
Path subnets_around(const std::string& subnet);

/// The subnet of this host; empty if it has no address but loopback.
std::string own_subnet(const std::vector<InterfaceAddress>& addresses);

}  // namespace wan
