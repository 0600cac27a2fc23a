// SPDX-License-Identifier: BSD-3-Clause
// Measures what an emulated link does, from inside a lab: one-way times, rates, losses, counters. The clock
// of all hosts of a lab is one, so one-way times need no synchronization. Used by
// bench/lab/tests/lab_*_test.sh.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <thread>

#include "bench/lab/counters.h"
#include "bench/lab/system.h"

namespace wan::lab {
namespace {

constexpr int kIpAndUdpHeader = 28;
constexpr int kReceiveBuffer = 64 << 20;
constexpr int kPatienceMs = 5'000;

struct Target {
  std::string host;
  std::uint16_t port = 0;
};

sockaddr_in address_of(const Target& target) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  if (::getaddrinfo(target.host.c_str(), nullptr, &hints, &found) != 0)
    throw LabError("no host " + target.host);
  sockaddr_in address{};
  std::memcpy(&address, found->ai_addr, sizeof address);
  address.sin_port = htons(target.port);
  ::freeaddrinfo(found);
  return address;
}

template <class Address>
const sockaddr* generic(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

/// A socket that is bound to `port`; says "ready" once it is.
Fd bound_socket(int type, std::uint16_t port) {
  Fd socket(checked(::socket(AF_INET, type | SOCK_CLOEXEC, 0), "socket"));
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer);
  constexpr int kOn = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_TIMESTAMPNS, &kOn, sizeof kOn);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  checked(::bind(socket.get(), generic(address), sizeof address), "bind");
  if (type == SOCK_STREAM) checked(::listen(socket.get(), 1), "listen");
  fmt::print("ready\n");
  std::fflush(stdout);
  return socket;
}

Fd connected_socket(int type, const Target& target) {
  const sockaddr_in address = address_of(target);
  Fd socket(checked(::socket(AF_INET, type | SOCK_CLOEXEC, 0), "socket"));
  checked(::connect(socket.get(), generic(address), sizeof address), "connect");
  return socket;
}

bool readable(const Fd& socket, int timeout_ms) {
  pollfd poll{socket.get(), POLLIN, 0};
  return ::poll(&poll, 1, timeout_ms) > 0;
}

/// What a one-way probe carries.
struct Stamps {
  Nanoseconds sent = 0, reflected = 0;
};

/// Sends every probe back with the time of its arrival; does not end by itself.
int reflect(std::uint16_t port) {
  const Fd socket = bound_socket(SOCK_DGRAM, port);
  for (;;) {
    Stamps stamps;
    sockaddr_in from{};
    socklen_t length = sizeof from;
    auto* peer = reinterpret_cast<sockaddr*>(&from);
    if (::recvfrom(socket.get(), &stamps, sizeof stamps, 0, peer, &length) != sizeof stamps) continue;
    stamps.reflected = monotonic_now();
    checked(static_cast<int>(::sendto(socket.get(), &stamps, sizeof stamps, 0, peer, length)), "sendto");
  }
}

Nanoseconds median(std::vector<Nanoseconds> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

/// Prints the median times to a reflector and back, in microseconds.
int one_way(const Target& target, int count) {
  const Fd socket = connected_socket(SOCK_DGRAM, target);
  std::vector<Nanoseconds> forward, backward;
  for (int i = 0; i < count; ++i) {
    Stamps stamps{monotonic_now(), 0};
    checked(static_cast<int>(::send(socket.get(), &stamps, sizeof stamps, 0)), "send");
    if (!readable(socket, kPatienceMs)) throw LabError("a probe did not come back");
    checked(static_cast<int>(::recv(socket.get(), &stamps, sizeof stamps, 0)), "recv");
    forward.push_back(stamps.reflected - stamps.sent);
    backward.push_back(monotonic_now() - stamps.reflected);
  }
  fmt::print("forward_us {} backward_us {}\n", median(forward) / 1000, median(backward) / 1000);
  return 0;
}

double per_second(Bytes bytes, Nanoseconds time) {
  return static_cast<double>(bytes) * 1e9 / static_cast<double>(time);
}

/// A datagram's size, and when the kernel received it (of CLOCK_REALTIME, so that our own scheduling does not
/// count).
struct Received {
  Bytes bytes = 0;
  Nanoseconds at = 0;
};

Received receive_one(const Fd& socket) {
  std::array<std::byte, 65'536> buffer;
  alignas(cmsghdr) std::array<char, 64> control{};
  iovec part{buffer.data(), buffer.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const int bytes = checked(static_cast<int>(::recvmsg(socket.get(), &message, 0)), "recvmsg");
  timespec stamp{};
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message)) std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
  return {bytes, Nanoseconds{stamp.tv_sec} * 1'000'000'000 + stamp.tv_nsec};
}

/// Counts datagrams until `expected` have come or none comes for `idle_ms`; prints how many, when the first
/// and last came, and the rate of the IP bytes after the first.
int receive(std::uint16_t port, int expected, int idle_ms) {
  const Fd socket = bound_socket(SOCK_DGRAM, port);
  int packets = 0;
  Bytes after_first = 0;
  Nanoseconds first = 0, last = 0;
  while (packets < expected && readable(socket, packets == 0 ? kPatienceMs : idle_ms)) {
    const Received received = receive_one(socket);
    last = received.at;
    if (packets++ == 0)
      first = last;
    else
      after_first += received.bytes + kIpAndUdpHeader;
  }
  fmt::print("packets {} first_ns {} last_ns {} rate {:.0f}\n", packets, first, last,
             packets > 1 ? per_second(after_first, last - first) : 0.0);
  return 0;
}

/// Sends datagrams of `bytes`, no faster than `rate` IP bytes per second if that is not 0.
int blast(const Target& target, int packets, int bytes, BytesPerSecond rate) {
  const Fd socket = connected_socket(SOCK_DGRAM, target);
  const std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  const Nanoseconds start = monotonic_now();
  for (int i = 0; i < packets; ++i) {
    const auto due =
        rate == 0 ? start : start + Nanoseconds{i} * (bytes + kIpAndUdpHeader) * 1'000'000'000 / rate;
    std::this_thread::sleep_for(std::chrono::nanoseconds(due - monotonic_now()));
    checked(static_cast<int>(::send(socket.get(), data.data(), data.size(), 0)), "send");
  }
  return 0;
}

/// What a stream carries from any byte on: 0 1 2 ... 250 0 1 ...
class Pattern {
 public:
  static constexpr std::size_t kMost = 1 << 20;
  std::span<const std::byte> from(Bytes offset, std::size_t bytes) const {
    return std::span(bytes_).subspan(static_cast<std::size_t>(offset % kPeriod), bytes);
  }

 private:
  static constexpr Bytes kPeriod = 251;
  std::vector<std::byte> bytes_ = [] {
    std::vector<std::byte> bytes(kMost + kPeriod);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % kPeriod);
    return bytes;
  }();
};

/// Takes one TCP connection to its end, and fails unless it brings the pattern; prints the rate of its second
/// half, when the window is open.
int sink(std::uint16_t port, Bytes expected) {
  const Fd listener = bound_socket(SOCK_STREAM, port);
  const Fd socket(checked(::accept(listener.get(), nullptr, nullptr), "accept"));
  const Pattern pattern;
  std::vector<std::byte> buffer(Pattern::kMost);
  Bytes total = 0, at_half = 0;
  Nanoseconds half_time = 0;
  for (ssize_t got; (got = ::recv(socket.get(), buffer.data(), buffer.size(), 0)) > 0;) {
    const std::span part = std::span(buffer).first(static_cast<std::size_t>(got));
    if (!std::ranges::equal(part, pattern.from(total, part.size()))) throw LabError("other bytes arrived");
    total += got;
    if (half_time != 0 || total < expected / 2) continue;
    half_time = monotonic_now();
    at_half = total;
  }
  fmt::print("bytes {} rate {:.0f}\n", total, per_second(total - at_half, monotonic_now() - half_time));
  return 0;
}

/// Sends `bytes` over one TCP connection and waits until the other side has closed it.
int stream(const Target& target, Bytes bytes) {
  const Fd socket = connected_socket(SOCK_STREAM, target);
  const Pattern pattern;
  for (Bytes sent = 0; sent < bytes;) {
    const auto part = pattern.from(sent, std::min(Pattern::kMost, static_cast<std::size_t>(bytes - sent)));
    sent += checked(static_cast<int>(::send(socket.get(), part.data(), part.size(), MSG_NOSIGNAL)), "send");
  }
  ::shutdown(socket.get(), SHUT_WR);
  char end = 0;
  return ::recv(socket.get(), &end, 1, 0) == 0 ? 0 : 1;
}

/// Prints one line for each directed pair of sites.
int counters() {
  const CountersView view(::getenv("WAN_LAB_COUNTERS"));
  if (!view.valid()) throw LabError("WAN_LAB_COUNTERS names no counters file");
  for (std::uint32_t from = 0; from < view.sites(); ++from)
    for (std::uint32_t to = 0; to < view.sites(); ++to) {
      const LinkCounters& link = view.link(from, to);
      if (from != to)
        fmt::print(
            "{} {} packets {} ip_bytes {} tcp_payload_bytes {} tcp_stream_bytes {} lost {} overflowed {} "
            "other_ip_bytes {}\n",
            view.site_name(from), view.site_name(to), link.packets.load(), link.ip_bytes.load(),
            link.tcp_payload_bytes.load(), link.tcp_stream_bytes.load(), link.lost.load(),
            link.overflowed.load(), link.other_ip_bytes.load());
    }
  return 0;
}

/// Where allowed: runs before anything but the emulator, so that a busy machine does not disturb the
/// measurement.
void raise_priority() {
  constexpr int kBelowTheEmulator = 5;
  const sched_param parameters{kBelowTheEmulator};
  ::sched_setscheduler(0, SCHED_FIFO, &parameters);
}

int dispatch(int argc, char** argv) {
  CLI::App app("Measures emulated links from inside a lab.");
  app.require_subcommand(1);
  Target target;
  int count = 0, bytes = 0, idle_ms = 1000;
  Bytes total = 0;
  BytesPerSecond rate = 0;
  std::function<int()> chosen;
  const auto command = [&](const char* name, std::function<int()> action) {
    auto* subcommand = app.add_subcommand(name);
    subcommand->callback([&chosen, action] { chosen = action; });
    return subcommand;
  };
  command("reflect", [&] { return reflect(target.port); })->add_option("port", target.port)->required();
  auto* one_way_command = command("one-way", [&] { return one_way(target, count); });
  auto* receive_command = command("receive", [&] { return receive(target.port, count, idle_ms); });
  auto* blast_command = command("blast", [&] { return blast(target, count, bytes, rate); });
  auto* sink_command = command("sink", [&] { return sink(target.port, total); });
  auto* stream_command = command("stream", [&] { return stream(target, total); });
  command("counters", [] { return counters(); });
  for (auto* sender : {one_way_command, blast_command, stream_command})
    sender->add_option("host", target.host)->required();
  for (auto* user : {one_way_command, receive_command, blast_command, sink_command, stream_command})
    user->add_option("port", target.port)->required();
  for (auto* counted : {one_way_command, receive_command, blast_command})
    counted->add_option("count", count)->required();
  for (auto* sized : {sink_command, stream_command}) sized->add_option("bytes", total)->required();
  receive_command->add_option("--idle-ms", idle_ms);
  blast_command->add_option("bytes", bytes)->required();
  blast_command->add_option("--rate", rate);
  CLI11_PARSE(app, argc, argv);
  return chosen();
}

}  // namespace
}  // namespace wan::lab

int main(int argc, char** argv) {
  try {
    wan::lab::raise_priority();
    return wan::lab::dispatch(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lab_probe: {}\n", error.what());
    return 1;
  }
}
