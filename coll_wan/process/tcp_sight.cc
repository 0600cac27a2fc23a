// SPDX-License-Identifier: BSD-3-Clause
#include "process/tcp_sight.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace wan {
namespace {

constexpr Nanoseconds kMicrosecond = 1'000;
constexpr int kEstablished = 1;  // TCP_ESTABLISHED of the kernel

std::string text_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, address, text.data(), text.size()) == nullptr ? "" : text.data();
}

/// Empty: it is no address of the internet.
std::string address_in(const sockaddr_storage& socket) {
  if (socket.ss_family == AF_INET)
    return text_of(AF_INET, &reinterpret_cast<const sockaddr_in&>(socket).sin_addr);
  if (socket.ss_family != AF_INET6) return "";
  const in6_addr& address = reinterpret_cast<const sockaddr_in6&>(socket).sin6_addr;
  return IN6_IS_ADDR_V4MAPPED(&address) ? text_of(AF_INET, address.s6_addr + 12)
                                        : text_of(AF_INET6, &address);
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

bool is_tcp(int descriptor) {
  int protocol = 0;
  socklen_t length = sizeof protocol;
  return getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) == 0 && protocol == IPPROTO_TCP;
}

/// Empty: there is none.
std::string peer_of(int descriptor) {
  sockaddr_storage peer{};
  socklen_t length = sizeof peer;
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return "";
  const std::string address = address_in(peer);
  return !address.empty() && is_tcp(descriptor) ? address : "";
}

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

std::vector<int> open_descriptors() {
  std::vector<int> descriptors;
  const std::unique_ptr<DIR, CloseDirectory> directory(opendir("/proc/self/fd"));
  while (const dirent* entry = directory ? readdir(directory.get()) : nullptr) {
    int descriptor = -1;
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, descriptor).ptr == end) descriptors.push_back(descriptor);
  }
  std::ranges::sort(descriptors);
  return descriptors;
}

}  // namespace

std::vector<ConnectedSocket> connected_sockets(Loopback loopback) {
  std::vector<ConnectedSocket> sockets;
  for (const int descriptor : open_descriptors()) {
    std::string peer = peer_of(descriptor);
    if (!peer.empty() && (loopback == Loopback::included || !is_loopback(peer)))
      sockets.push_back({descriptor, std::move(peer)});
  }
  return sockets;
}

std::optional<Sight> sight_of(int descriptor) {
  tcp_info info{};
  socklen_t length = sizeof info;
  int outstanding = 0;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || info.tcpi_state != kEstablished ||
      length < offsetof(tcp_info, tcpi_sndbuf_limited) + sizeof info.tcpi_sndbuf_limited ||
      ioctl(descriptor, SIOCOUTQ, &outstanding) != 0)
    return std::nullopt;
  const Bytes unsent = std::min<Bytes>(info.tcpi_notsent_bytes, outstanding),
              behind_gap = std::min<Bytes>(Bytes{info.tcpi_sacked} * info.tcpi_snd_mss, outstanding - unsent);
  Sight sight;
  sight.delivered = static_cast<Bytes>(info.tcpi_bytes_acked) + behind_gap;
  sight.unsent = unsent;
  sight.under_way = outstanding - unsent - behind_gap;
  sight.round_trip = info.tcpi_rtt * kMicrosecond;
  sight.least_round_trip = info.tcpi_min_rtt == ~0u ? 0 : info.tcpi_min_rtt * kMicrosecond;
  sight.sent_again = info.tcpi_total_retrans;
  sight.held_by_hosts =
      static_cast<Nanoseconds>(info.tcpi_rwnd_limited + info.tcpi_sndbuf_limited) * kMicrosecond;
  return sight;
}

}  // namespace wan
