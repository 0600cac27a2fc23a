// SPDX-License-Identifier: BSD-3-Clause
// TCP over IPv4 as the agents use it: sockets that never block, waits that end at a deadline. Failures are
// values: a connection that cannot be made is what the doctor looks for. Threads: a socket belongs to one.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/types.h"

namespace wan::tools::doctor {

using Deadline = std::chrono::steady_clock::time_point;
inline Deadline after(std::chrono::nanoseconds time) {
  return std::chrono::steady_clock::now() + time;
}

/// Owns a descriptor; -1: none.
class Socket {
 public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Reads and writes `fd` by lines, or by what is there.
class LineChannel {
 public:
  explicit LineChannel(int in, int out) : in_(in), out_(out) {}

  /// The next line without its end; nothing where the stream ends or the deadline passes first.
  std::optional<std::string> line(Deadline deadline);
  /// False if the line could not be written.
  bool write(std::string_view line, Deadline deadline);
  /// What was read beyond the last line.
  std::string take_rest() { return std::exchange(buffer_, {}); }
  bool has_ended() const { return has_ended_; }

 private:
  bool fill(Deadline deadline);

  int in_, out_;
  std::string buffer_;
  bool has_ended_ = false;
};

/// Waits until poll() reports `events` on `fd`; false at the deadline.
bool wait_for(int fd, short events, Deadline deadline);

/// A socket that listens on all interfaces at `port`, 0: one that the kernel chooses; nothing if it is taken.
std::optional<Socket> listen_on(int port);
int port_of(const Socket& socket);
/// Own and the other's address of a connection; empty if it has none.
std::string own_address(const Socket& socket);
std::string peer_address(const Socket& socket);

struct Attempt {
  Socket socket;
  int error = 0;  ///< errno of what ended the attempt at once; 0: it is under way
};
/// Begins to connect; poll() reports POLLOUT at the end. `segment`: longest TCP segment to send, 0: no limit.
Attempt begin_connecting(const std::string& address, int port, Bytes segment = 0);
/// errno of how it ended.
int error_of(const Socket& socket);
/// A connection, or nothing.
std::optional<Socket> connect_to(const std::string& address, int port, Bytes segment, Deadline deadline);
/// When the socket is closed, what waits in it is thrown away.
void forget_unsent(const Socket& socket);

}  // namespace wan::tools::doctor
