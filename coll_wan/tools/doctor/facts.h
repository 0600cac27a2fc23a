// SPDX-License-Identifier: BSD-3-Clause
// What wanctl doctor knows before it judges: of each host what the host says of itself, of each ordered pair
// of hosts what was tried and measured between them. Plain data, without a clock or a socket. The agents send
// it as JSON (facts_json.h), judge.h makes findings of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/types.h"

namespace wan::tools::doctor {

/// An IPv4 address of a host. Loopback is left out.
struct Interface {
  std::string name;
  std::string address;
  int prefix_bits = 0;
  Bytes mtu = 0;
  bool is_default = false;  ///< the default route goes over it
};

/// What a host's resolver says of a name: addresses, or why there are none.
struct Resolution {
  std::string name;
  std::vector<std::string> addresses;
  std::string error;
};

/// What Open MPI would use the port for.
enum class Purpose { messages, launcher, sample };

/// A port on which a host's agent waits for the others.
struct Listener {
  Purpose purpose = Purpose::sample;
  int port = 0;
};

/// Settings of the kernel; the largest sizes of buffers, in bytes.
struct TcpSettings {
  Bytes receive_buffer = 0, send_buffer = 0;
  bool slow_start_after_idle = false;
  bool window_scaling = true;
};

/// What ompi_info says.
struct Software {
  std::string open_mpi;    ///< version; empty: there is no ompi_info
  std::string error;       ///< then: why
  std::string coll_wan;    ///< version of the component; empty: it is not there
  std::string if_include;  ///< value of btl_tcp_if_include
  std::string if_exclude;
  int port_min = 1024;  ///< first port of btl_tcp
  int port_range = 64511;
};

/// The topology file as this host finds it.
struct TopologyFacts {
  std::string path;   ///< empty: coll_wan_topology is not set
  std::string error;  ///< message of what is wrong with the file
  bool is_missing = false;
  std::string text;
  std::string site;  ///< the site that the file gives to the host; empty: none
};

struct HostFacts {
  std::string name;     ///< as the user named it
  std::string failure;  ///< why there is no agent; then all else is empty
  std::string hostname;
  std::string token;  ///< what only this agent says of itself
  std::vector<Interface> interfaces;
  Resolution own;                 ///< of `hostname`
  std::vector<Resolution> peers;  ///< of every host, as the user named it; in the order of the hosts
  std::vector<Listener> listeners;
  TcpSettings tcp;
  Software software;
  TopologyFacts topology;
};

enum class Answer {
  answered,
  refused,       ///< a reset: nobody listens there, or a firewall says so
  silent,        ///< no answer in time
  unreachable,   ///< the kernel or a router says that there is no way
  another_host,  ///< somebody else answered
};

/// An attempt to connect.
struct Reach {
  std::string address;
  int port = 0;
  Purpose purpose = Purpose::sample;
  Answer answer = Answer::silent;
  std::string error;   ///< in the kernel's words
  std::string source;  ///< own address of the connection
  std::string seen;    ///< address that the peer saw
};

/// What a connection from one host to another did.
struct Measurement {
  Nanoseconds round_trip_ns = 0;
  BytesPerSecond rate = 0;
  Nanoseconds clock_offset_ns = 0;  ///< the peer's clock minus the own; true to half a round trip
  Bytes path_mtu = 0;
  std::string congestion_control;
  bool is_stalled = false;    ///< short messages pass, long ones do not
  Bytes passing_segment = 0;  ///< then: TCP segments of this length pass; 0: none does
};

/// What the topology file says.
struct StatedLink {
  Nanoseconds round_trip_ns = 0;
  BytesPerSecond rate = 0;
};

struct PairFacts {
  int from = 0, to = 0;  ///< indices of hosts
  std::vector<Reach> reaches;
  std::optional<Measurement> measured;
  std::optional<StatedLink> stated;
};

/// All that is known.
struct Facts {
  std::vector<HostFacts> hosts;
  std::vector<PairFacts> pairs;

  const std::string& name(int host) const { return hosts[at(host)].name; }
};

}  // namespace wan::tools::doctor
