// SPDX-License-Identifier: BSD-3-Clause
#include "process/flow_window.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

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

Bytes idle_window(std::optional<Bytes> slow_start, std::optional<Bytes> mtu) {
  constexpr Bytes kPackets = 8, kHeaders = 20 + 20 + 12;  // IP, TCP, time stamps
  return slow_start.value_or(0) == 0 ? 0 : kPackets * std::max<Bytes>(0, mtu.value_or(0) - kHeaders);
}

Bytes idle_window() {
  constexpr const char* kInterfaces = "/sys/class/net";
  std::optional<Bytes> shortest;
  std::error_code error;
  for (const auto& each : std::filesystem::directory_iterator(kInterfaces, error)) {
    std::string state;
    std::ifstream(each.path() / "operstate") >> state;
    const auto mtu = last_number(each.path() / "mtu");
    if (each.path().filename() != "lo" && state != "down" && mtu)
      shortest = std::min(shortest.value_or(*mtu), *mtu);
  }
  return idle_window(last_number("/proc/sys/net/ipv4/tcp_slow_start_after_idle"), shortest);
}

std::optional<Bytes> last_number(const std::string& path) {
  std::ifstream file(path);
  std::optional<Bytes> last;
  for (Bytes number = 0; file >> number;) last = number;
  return last;
}

}  // namespace wan
