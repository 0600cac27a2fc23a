// SPDX-License-Identifier: BSD-3-Clause
#include "probe/socket.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/time.h"

namespace wan::probe {
namespace {

constexpr int kFlags = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
constexpr std::size_t kReadAtOnce = 256 << 10;

/// An address of either family with a port.
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

std::optional<Address> address_named(const std::string& text, std::uint16_t port) {
  Address address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.length = sizeof *v4;
    return address;
  }
  if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) != 1) return std::nullopt;
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons(port);
  address.length = sizeof *v6;
  return address;
}

/// What it sends leaves at once, and what it receives is stamped by the kernel.
void set_options(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

Nanoseconds nanoseconds_of(const timespec& time) {
  return Nanoseconds{time.tv_sec} * kSecond + time.tv_nsec;
}

Nanoseconds reading_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds_of(time);
}

/// The kernel's stamp of a message, by now()'s clock. Now where there is none, or where it cannot be right,
/// as somebody has set the other clock.
Nanoseconds arrival_of(msghdr& message) {
  constexpr Nanoseconds kLongest = kSecond;
  const Nanoseconds time = now(), ahead = reading_of(CLOCK_REALTIME) - time;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(each), sizeof stamp);
    const Nanoseconds arrival = nanoseconds_of(stamp) - ahead;
    if (arrival <= time && arrival > time - kLongest) return arrival;
  }
  return time;
}

/// On all addresses of a family; closed if that is not possible.
Socket listening_on(const std::string& any, std::uint16_t port) {
  const auto address = address_named(any, port);
  Socket socket(::socket(address->storage.ss_family, kFlags, 0));
  const int off = 0;
  if (address->storage.ss_family == AF_INET6)
    setsockopt(socket.descriptor(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (!socket.is_open() || bind(socket.descriptor(), address->get(), address->length) != 0 ||
      listen(socket.descriptor(), SOMAXCONN) != 0)
    socket.close();
  return socket;
}

/// What TCP knows of a connection; zeros if there is none.
tcp_info info_of(int descriptor) {
  tcp_info info{};
  socklen_t length = sizeof info;
  getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length);
  return info;
}

bool is_over() {
  return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
}

std::string random_key() {
  unsigned char bytes[16] = {};
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return "";
  std::string key;
  for (const unsigned char byte : bytes) key += static_cast<char>('a' + byte % 26);
  return key;
}

}  // namespace

Nanoseconds now() {
  return reading_of(CLOCK_MONOTONIC);
}

Socket Socket::listening(Ports ports) {
  for (int i = 0; i < std::max(1, ports.count); ++i)
    for (const char* const any : {"::", "0.0.0.0"}) {
      Socket socket = listening_on(any, static_cast<std::uint16_t>(ports.first == 0 ? 0 : ports.first + i));
      if (socket.is_open()) return socket;
    }
  return Socket();
}

Socket Socket::connecting(const std::string& address, std::uint16_t port) {
  const auto to = address_named(address, port);
  if (!to) return Socket();
  Socket socket(::socket(to->storage.ss_family, kFlags, 0));
  if (!socket.is_open()) return socket;
  set_options(socket.descriptor());
  if (connect(socket.descriptor(), to->get(), to->length) != 0 && errno != EINPROGRESS) socket.close();
  return socket;
}

void Socket::close() {
  if (is_open()) ::close(descriptor_);
  descriptor_ = -1;
}

std::uint16_t Socket::port() const {
  Address own;
  own.length = sizeof own.storage;
  if (getsockname(descriptor_, own.get(), &own.length) != 0) return 0;
  return ntohs(own.storage.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&own.storage)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&own.storage)->sin_port);
}

Socket Socket::accepted() const {
  Socket socket(accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.is_open()) set_options(socket.descriptor());
  return socket;
}

bool Socket::has_connected() const {
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
}

std::optional<Nanoseconds> Socket::read(std::string& bytes) const {
  const std::size_t before = bytes.size();
  bytes.resize(before + kReadAtOnce);
  iovec room{bytes.data() + before, kReadAtOnce};
  alignas(cmsghdr) std::array<char, 256> control{};
  msghdr message{};
  message.msg_iov = &room;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(descriptor_, &message, 0);
  bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got == 0 || (got < 0 && is_over())) return std::nullopt;
  return got > 0 ? arrival_of(message) : now();
}

bool Socket::write(std::string& bytes) const {
  const ssize_t sent = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0) return !is_over();
  bytes.erase(0, static_cast<std::size_t>(sent));
  return true;
}

Bytes Socket::window() const {
  const tcp_info info = info_of(descriptor_);
  return Bytes{info.tcpi_snd_cwnd} * Bytes{info.tcpi_snd_mss};
}

std::optional<Nanoseconds> Socket::least_round_trip() const {
  const tcp_info info = info_of(descriptor_);
  if (info.tcpi_min_rtt == 0 || info.tcpi_min_rtt == ~0u) return std::nullopt;
  return Nanoseconds{info.tcpi_min_rtt} * 1'000;
}

std::optional<Listener> Listener::open(std::vector<std::string> addresses, Ports ports) {
  Listener listener{Socket::listening(ports), {0, random_key(), std::move(addresses)}};
  if (!listener.socket.is_open() || listener.endpoint.key.empty() || listener.endpoint.addresses.empty())
    return std::nullopt;
  listener.endpoint.port = listener.socket.port();
  return listener;
}

}  // namespace wan::probe
