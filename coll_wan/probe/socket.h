// SPDX-License-Identifier: BSD-3-Clause
// TCP sockets that never block, and the clock of those who wait for them. Each socket has one owner; one
// thread. Tested by tests/unit/probe_agent.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/types.h"
#include "probe/endpoint.h"

namespace wan::probe {

/// Of the clock that never goes back.
Nanoseconds now();

/// Where a socket may listen: `count` ports from `first`; first 0: anywhere.
struct Ports {
  int first = 0, count = 0;
};

class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket() { close(); }

  /// Listens on a free port of all addresses; not open where that is not allowed, or no port is free.
  static Socket listening(Ports ports = {});
  /// Begins to connect; not open where that cannot even begin.
  static Socket connecting(const std::string& address, std::uint16_t port);

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  void close();
  /// 0 if none.
  std::uint16_t port() const;
  /// The next connection that has come; not open if there is none.
  Socket accepted() const;
  /// Has an attempt to connect, which is over, come to a connection?
  bool has_connected() const;
  /// Appends what has come. When the last of it came to this host, which is before a busy process sees it;
  /// nullopt if the connection is over.
  std::optional<Nanoseconds> read(std::string& bytes) const;
  /// Takes off `bytes` what could be sent; false if the connection is over.
  bool write(std::string& bytes) const;
  /// Bytes that may be on their way before an answer comes.
  Bytes window() const;
  /// The least that TCP has seen, which does not wait for a process to wake up.
  std::optional<Nanoseconds> least_round_trip() const;

 private:
  int descriptor_ = -1;
};

/// A socket that listens, with what others must know of it.
struct Listener {
  Socket socket;
  Endpoint endpoint;

  /// addresses: of this host. nullopt where nobody could call, or sockets are not allowed.
  static std::optional<Listener> open(std::vector<std::string> addresses, Ports ports = {});
};

}  // namespace wan::probe
