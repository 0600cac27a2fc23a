// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace wan::tools::doctor {
namespace {

int milliseconds_until(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
}

sockaddr_in ipv4(const std::string& address, int port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &name.sin_addr);
  return name;
}

using NameOf = int (*)(int, sockaddr*, socklen_t*);

sockaddr_in name_of(const Socket& socket, NameOf ask) {
  sockaddr_in name{};
  socklen_t length = sizeof name;
  if (ask(socket.fd(), reinterpret_cast<sockaddr*>(&name), &length) != 0) name.sin_family = AF_UNSPEC;
  return name;
}

std::string text_of(const sockaddr_in& name) {
  std::array<char, INET_ADDRSTRLEN> text{};
  if (name.sin_family == AF_INET) ::inet_ntop(AF_INET, &name.sin_addr, text.data(), text.size());
  return text.data();
}

void set(const Socket& socket, int level, int option, int value) {
  ::setsockopt(socket.fd(), level, option, &value, sizeof value);
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

bool wait_for(int fd, short events, Deadline deadline) {
  for (;;) {
    pollfd poll{fd, events, 0};
    const int ready = ::poll(&poll, 1, milliseconds_until(deadline));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool LineChannel::fill(Deadline deadline) {
  if (!wait_for(in_, POLLIN, deadline)) return false;
  std::array<char, 65536> piece;
  const ssize_t got = ::read(in_, piece.data(), piece.size());
  if (got > 0) buffer_.append(piece.data(), static_cast<std::size_t>(got));
  if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) return true;
  has_ended_ = true;
  return false;
}

std::optional<std::string> LineChannel::line(Deadline deadline) {
  std::size_t end;
  while ((end = buffer_.find('\n')) == buffer_.npos)
    if (!fill(deadline)) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

bool LineChannel::write(std::string_view line, Deadline deadline) {
  const std::string text = std::string(line) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    if (!wait_for(out_, POLLOUT, deadline)) return false;
    const ssize_t put = ::write(out_, text.data() + done, text.size() - done);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (put > 0) done += static_cast<std::size_t>(put);
  }
  return true;
}

std::optional<Socket> listen_on(int port) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  set(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  const sockaddr_in name = ipv4("0.0.0.0", port);
  const bool is_bound =
      socket && ::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
  if (!is_bound || ::listen(socket.fd(), SOMAXCONN) != 0) return std::nullopt;
  return socket;
}

int port_of(const Socket& socket) {
  return ntohs(name_of(socket, ::getsockname).sin_port);
}
std::string own_address(const Socket& socket) {
  return text_of(name_of(socket, ::getsockname));
}
std::string peer_address(const Socket& socket) {
  return text_of(name_of(socket, ::getpeername));
}

Attempt begin_connecting(const std::string& address, int port, Bytes segment) {
  Attempt attempt{Socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))};
  if (!attempt.socket) {
    attempt.error = errno;
    return attempt;
  }
  set(attempt.socket, IPPROTO_TCP, TCP_NODELAY, 1);
  if (segment > 0) set(attempt.socket, IPPROTO_TCP, TCP_MAXSEG, static_cast<int>(segment));
  const sockaddr_in name = ipv4(address, port);
  const int status = ::connect(attempt.socket.fd(), reinterpret_cast<const sockaddr*>(&name), sizeof name);
  if (status != 0 && errno != EINPROGRESS) attempt.error = errno;
  return attempt;
}

int error_of(const Socket& socket) {
  int error = 0;
  socklen_t length = sizeof error;
  return ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

std::optional<Socket> connect_to(const std::string& address, int port, Bytes segment, Deadline deadline) {
  Attempt attempt = begin_connecting(address, port, segment);
  if (attempt.error != 0 || !wait_for(attempt.socket.fd(), POLLOUT, deadline)) return std::nullopt;
  if (error_of(attempt.socket) != 0) return std::nullopt;
  return std::move(attempt.socket);
}

void forget_unsent(const Socket& socket) {
  const linger none{1, 0};
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

}  // namespace wan::tools::doctor
