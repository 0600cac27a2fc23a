// SPDX-License-Identifier: BSD-3-Clause
// How many bytes one TCP connection of this host has under way at most, which is what it can carry in a round
// trip. Of a socket's buffer the kernel counts half as its own. Source: tcp(7), socket(7). Tested by
// tests/unit/process_flow_window.cc.
#pragma once

#include <optional>
#include <string>

#include "base/types.h"

namespace wan {

/// Of sending, or of receiving.
struct BufferLimits {
  int requested = 0;             ///< btl_tcp_sndbuf or btl_tcp_rcvbuf, bytes; 0: the system decides
  std::optional<Bytes> ceiling;  ///< net.core.wmem_max or rmem_max, of what may be requested
  std::optional<Bytes>
      largest;  ///< last number of net.ipv4.tcp_wmem or tcp_rmem, the most that the system decides for
};

/// Of this host, where Open MPI requests buffers of this many bytes.
BufferLimits sending_limits(int requested);
BufferLimits receiving_limits(int requested);

/// Bytes; 0: not known.
Bytes flow_window(const BufferLimits& send, const BufferLimits& receive);

/// What a TCP connection surely has under way at once after a pause, by Linux's default of ten packets:
/// eight, as messages do not fill their last ones. slow_start: net.ipv4.tcp_slow_start_after_idle, which is 0
/// where windows stay as they are; mtu: of the interface, bytes. 0: not known, or they stay.
Bytes idle_window(std::optional<Bytes> slow_start, std::optional<Bytes> mtu);
/// Of this host, by the shortest packets of an interface that is up and leads to other hosts.
Bytes idle_window();

/// The last number in the first line of the file `path` under /proc/sys or /sys.
std::optional<Bytes> last_number(const std::string& path);

}  // namespace wan
