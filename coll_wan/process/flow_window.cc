// SPDX-License-Identifier: BSD-3-Clause
#include "process/flow_window.h"

#include <algorithm>
#include <fstream>

namespace wan {
namespace {

/// The kernel doubles what is requested, so half of the buffer is that.
std::optional<Bytes> window_of(const BufferLimits& limits) {
  if (limits.requested > 0)
    return std::min<Bytes>(limits.requested, limits.ceiling.value_or(limits.requested));
  return limits.largest ? std::optional(*limits.largest / 2) : std::nullopt;
}

}  // namespace

BufferLimits sending_limits(int requested) {
  return {requested, last_number("/proc/sys/net/core/wmem_max"), last_number("/proc/sys/net/ipv4/tcp_wmem")};
}

BufferLimits receiving_limits(int requested) {
  return {requested, last_number("/proc/sys/net/core/rmem_max"), last_number("/proc/sys/net/ipv4/tcp_rmem")};
}

Bytes flow_window(const BufferLimits& send, const BufferLimits& receive) {
  const auto sent = window_of(send), received = window_of(receive);
  if (!sent || !received) return sent.value_or(received.value_or(0));
  return std::min(*sent, *received);
}

std::optional<Bytes> last_number(const std::string& path) {
  std::ifstream file(path);
  std::optional<Bytes> last;
  for (Bytes number = 0; file >> number;) last = number;
  return last;
}

}  // namespace wan
