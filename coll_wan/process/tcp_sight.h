// SPDX-License-Identifier: BSD-3-Clause
// What Linux says of the TCP sockets of this process (learn/sight.h). Threads: any. Tested by:
// tests/unit/process_tcp_sight.cc, over loopback.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn/sight.h"

namespace wan {

/// A TCP socket of this process that is connected.
struct ConnectedSocket {
  int descriptor = -1;
  std::string peer;  ///< address as text; an IPv4 address in an IPv6 one as IPv4
  friend bool operator==(const ConnectedSocket&, const ConnectedSocket&) = default;
};

/// Those to other addresses than loopback's, by descriptor; all of them if `loopback`.
enum class Loopback : bool { left_out, included };
std::vector<ConnectedSocket> connected_sockets(Loopback loopback = Loopback::left_out);

/// Of one socket. `at` and `sockets` are left to the caller. nullopt: the socket is not connected any more,
/// or the kernel does not say enough (before Linux 4.10).
std::optional<Sight> sight_of(int descriptor);

}  // namespace wan
