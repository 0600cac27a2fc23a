// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/peer_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <list>
#include <thread>

#include "tools/doctor/sockets.h"

namespace wan::tools::doctor {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kClientPatience = 30s;  // without a word from a client
constexpr int kHighestPort = 65535;
constexpr int kSamples[] = {10000, 20000, 30000, 40000, 50000, 60000};
constexpr int kTries = 500;

/// One connection, in its own thread.
class ServerConversation {
 public:
  ServerConversation(const Socket& socket, const std::string& token)
      : socket_(socket), channel_(socket.fd(), socket.fd()), token_(token) {}

  void hold() {
    if (!say(fmt::format("wanctl {} {}", token_, peer_address(socket_)))) return;
    while (const auto line = channel_.line(after(kClientPatience))) {
      if (*line == "ping")
        say(fmt::format("pong {}", std::chrono::system_clock::now().time_since_epoch() / 1ns));
      else if (line->starts_with("sink "))
        return sink(std::chrono::milliseconds(std::atoi(line->c_str() + 5)));
      else
        return;
    }
  }

 private:
  bool say(const std::string& line) { return channel_.write(line, after(kClientPatience)); }

  void sink(std::chrono::milliseconds time) {
    const auto begin = steady_clock::now(), end = begin + time;
    auto middle = begin;
    Bytes bytes = static_cast<Bytes>(channel_.take_rest().size()), bytes_at_middle = 0;
    while (wait_for(socket_.fd(), POLLIN, end) && take(bytes)) {
      if (middle != begin || steady_clock::now() < begin + time / 2) continue;
      middle = steady_clock::now();
      bytes_at_middle = bytes;
    }
    const double seconds = std::chrono::duration<double>(steady_clock::now() - middle).count();
    say(fmt::format("took {} {}", static_cast<Bytes>(static_cast<double>(bytes - bytes_at_middle) / seconds),
                    bytes));
    ::shutdown(socket_.fd(), SHUT_WR);
    drain();
  }

  /// False where the stream ends.
  bool take(Bytes& bytes) {
    static thread_local std::array<char, 1 << 18> waste;
    const ssize_t got = ::recv(socket_.fd(), waste.data(), waste.size(), 0);
    if (got > 0) bytes += got;
    return got > 0 || (got < 0 && errno == EAGAIN);
  }

  /// Until the client has heard the answer and closes: closing first would reset the answer away.
  void drain() {
    const Deadline end = after(2s);
    for (Bytes bytes = 0; steady_clock::now() < end && wait_for(socket_.fd(), POLLIN, end) && take(bytes);) {
    }
  }

  const Socket& socket_;
  LineChannel channel_;
  const std::string& token_;
};

}  // namespace

class PeerServer::Implementation {
 public:
  Implementation(std::string token, int port_min)
      : token_(std::move(token)), stop_(::eventfd(0, EFD_CLOEXEC)) {
    add(Purpose::messages, port_min);
    add(Purpose::launcher, 0);
    for (const int port : kSamples) add(Purpose::sample, port);
    acceptor_ = std::thread([this] { accept_all(); });
  }

  ~Implementation() {
    const std::uint64_t one = 1;
    if (::write(stop_.fd(), &one, sizeof one) < 0) std::terminate();
    acceptor_.join();
    for (Guest& guest : guests_) {
      ::shutdown(guest.socket.fd(), SHUT_RDWR);
      guest.thread.join();
    }
  }

  const std::vector<Listener>& listeners() const { return listeners_; }

 private:
  /// Stays where it is in the list, open until the server ends.
  struct Guest {
    Socket socket;
    std::thread thread;
  };

  void add(Purpose purpose, int first) {
    for (int port = first; port <= std::min(first + kTries, kHighestPort); ++port)
      if (auto socket = listen_on(port)) {
        listeners_.push_back({purpose, port_of(*socket)});
        sockets_.push_back(std::move(*socket));
        return;
      }
  }

  void accept_all() {
    std::vector<pollfd> polls{{stop_.fd(), POLLIN, 0}};
    for (const Socket& socket : sockets_) polls.push_back({socket.fd(), POLLIN, 0});
    while (::poll(polls.data(), polls.size(), -1) < 0 || polls[0].revents == 0)
      for (std::size_t i = 1; i < polls.size(); ++i)
        if (polls[i].revents != 0) accept_one(polls[i].fd);
  }

  void accept_one(int listener) {
    Socket socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) return;
    Guest& guest = guests_.emplace_back(Guest{std::move(socket), {}});
    guest.thread = std::thread([this, &guest] { ServerConversation(guest.socket, token_).hold(); });
  }

  std::string token_;
  Socket stop_;
  std::vector<Listener> listeners_;
  std::vector<Socket> sockets_;
  std::list<Guest> guests_;
  std::thread acceptor_;
};

PeerServer::PeerServer(std::string token, int port_min)
    : implementation_(std::make_unique<Implementation>(std::move(token), port_min)) {}
PeerServer::~PeerServer() = default;
const std::vector<Listener>& PeerServer::listeners() const {
  return implementation_->listeners();
}

}  // namespace wan::tools::doctor
