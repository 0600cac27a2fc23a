// SPDX-License-Identifier: BSD-3-Clause
#include "bench/lab/other_traffic.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>

#include "bench/lab/frame.h"

namespace wan::lab {
namespace {

constexpr std::uint16_t kPort = 9;  // discard (RFC 863)
constexpr std::size_t kAtOnce = 64 << 10;
constexpr int kMostWaiting = 128;

const sockaddr* generic(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

sockaddr_in port_of(std::uint32_t address) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(kPort);
  result.sin_addr.s_addr = htonl(address);
  return result;
}

Fd stream_socket() {
  return Fd(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket"));
}

bool would_block() {
  return errno == EAGAIN || errno == EINTR || errno == ENOTCONN || errno == EINPROGRESS;
}

}  // namespace

OtherTraffic::OtherTraffic(std::vector<Namespace> hosts, const std::vector<std::string>& addresses)
    : hosts_(std::move(hosts)), zeros_(kAtOnce), stop_event_(checked(::eventfd(0, EFD_CLOEXEC), "eventfd")) {
  for (const std::string& address : addresses) addresses_.push_back(port_of(ipv4_address(address)));
  for (std::size_t site = 0; site < hosts_.size(); ++site) {
    const Inside inside(hosts_[site]);
    listeners_.push_back(stream_socket());
    const Fd& listener = listeners_.back();
    checked(::bind(listener.get(), generic(addresses_[site]), sizeof(sockaddr_in)), "bind");
    checked(::listen(listener.get(), kMostWaiting), "listen");
  }
  for (std::size_t from = 0; from < hosts_.size(); ++from)
    for (std::size_t to = 0; to < hosts_.size(); ++to)
      if (from != to) senders_.push_back({from, to, {}});
  thread_ = std::thread([this] { run(); });
}

OtherTraffic::~OtherTraffic() {
  stopping_ = true;
  ::eventfd_write(stop_event_.get(), 1);
  thread_.join();
}

void OtherTraffic::connect(Sender& sender) {
  const Inside inside(hosts_[sender.from]);
  sender.socket = stream_socket();
  ::connect(sender.socket.get(), generic(addresses_[sender.to]), sizeof(sockaddr_in));
}

void OtherTraffic::send(Sender& sender) {
  if (::send(sender.socket.get(), zeros_.data(), zeros_.size(), MSG_NOSIGNAL) < 0 && !would_block())
    connect(sender);
}

void OtherTraffic::accept_from(const Fd& listener) {
  const int socket = ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (socket >= 0) receivers_.emplace_back(socket);
}

/// Nobody reads it: MSG_TRUNC drops it where it is.
void OtherTraffic::drain(Fd& socket) {
  const ssize_t got = ::recv(socket.get(), nullptr, 16 * kAtOnce, MSG_TRUNC);
  if (got == 0 || (got < 0 && !would_block())) socket.reset();
}

void OtherTraffic::run() {
  for (Sender& sender : senders_) connect(sender);
  while (!stopping_) {
    std::vector<pollfd> polls{{stop_event_.get(), POLLIN, 0}};
    for (const Fd& listener : listeners_) polls.push_back({listener.get(), POLLIN, 0});
    for (const Sender& sender : senders_) polls.push_back({sender.socket.get(), POLLOUT, 0});
    for (const Fd& receiver : receivers_) polls.push_back({receiver.get(), POLLIN, 0});
    ::poll(polls.data(), polls.size(), -1);
    auto poll = polls.begin() + 1;
    const auto open = receivers_.size();
    for (const Fd& listener : listeners_)
      if ((poll++)->revents != 0) accept_from(listener);
    for (Sender& sender : senders_)
      if ((poll++)->revents != 0) send(sender);
    for (std::size_t i = 0; i < open; ++i)
      if ((poll++)->revents != 0) drain(receivers_[i]);
    std::erase_if(receivers_, [](const Fd& socket) { return socket.get() < 0; });
  }
}

}  // namespace wan::lab
