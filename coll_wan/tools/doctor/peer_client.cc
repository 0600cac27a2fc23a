// SPDX-License-Identifier: BSD-3-Clause
#include "tools/doctor/peer_client.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include "tools/doctor/sockets.h"

namespace wan::tools::doctor {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// Long enough for the first repetition of a lost packet, after one second.
constexpr auto kAddressTime = 2500ms;
constexpr auto kConnectTime = 4s;

// Reaching.

/// An attempt on its way: connecting, then waiting for the greeting.
struct Call {
  const Target* target = nullptr;
  Socket socket;
  std::string heard;
  bool is_connected = false, is_over = false;
  Reach reach;
};

void end(Call& call, Answer answer, int error = 0) {
  call.is_over = true;
  call.reach.answer = answer;
  if (error != 0) call.reach.error = std::strerror(error);
}

/// An answer to a packet: a router's word that it does not pass is mostly a firewall's.
Answer answer_of_network(int error) {
  if (error == ENETUNREACH) return Answer::unreachable;
  return error == ETIMEDOUT ? Answer::silent : Answer::refused;
}

Call begin(const Target& target) {
  Attempt attempt = begin_connecting(target.address, target.port);
  Call call;
  call.target = &target;
  call.socket = std::move(attempt.socket);
  call.reach.address = target.address;
  call.reach.port = target.port;
  call.reach.purpose = target.purpose;
  if (attempt.error != 0)
    end(call, attempt.error == ECONNREFUSED ? Answer::refused : Answer::unreachable, attempt.error);
  return call;
}

/// "wanctl TOKEN ADDRESS"
void hear(Call& call, const std::string& greeting) {
  std::istringstream words(greeting);
  std::string program, token;
  words >> program >> token >> call.reach.seen;
  end(call, program == "wanctl" && token == call.target->token ? Answer::answered : Answer::another_host);
}

void read_greeting(Call& call) {
  std::array<char, 256> piece;
  const ssize_t got = ::recv(call.socket.fd(), piece.data(), piece.size(), 0);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) return end(call, Answer::another_host, got < 0 ? errno : 0);
  call.heard.append(piece.data(), static_cast<std::size_t>(got));
  if (const std::size_t line = call.heard.find('\n'); line != call.heard.npos)
    hear(call, call.heard.substr(0, line));
}

void advance(Call& call) {
  if (call.is_connected) return read_greeting(call);
  if (const int error = error_of(call.socket); error != 0) return end(call, answer_of_network(error), error);
  call.is_connected = true;
  call.reach.source = own_address(call.socket);
}

/// Waits for news of any; false if all are over or the time is.
bool advance_any(std::vector<Call>& calls, Deadline deadline) {
  std::vector<pollfd> polls;
  std::vector<Call*> waiting;
  for (Call& call : calls) {
    if (call.is_over) continue;
    waiting.push_back(&call);
    polls.push_back({call.socket.fd(), static_cast<short>(call.is_connected ? POLLIN : POLLOUT), 0});
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
  if (waiting.empty() || left <= 0) return false;
  if (::poll(polls.data(), polls.size(), static_cast<int>(left)) <= 0) return errno == EINTR;
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (polls[i].revents != 0) advance(*waiting[i]);
  return true;
}

// Measuring.

constexpr int kMostPings = 10, kFewestPings = 3;
constexpr auto kPingTime = 400ms;
constexpr auto kShortestFlow = 300ms, kLongestFlow = 1000ms;
constexpr int kFlowRoundTrips = 8;
constexpr Bytes kStalled = 16384;
/// The longest segment of Ethernet, of most tunnels, of nearly all, and what every host takes.
constexpr Bytes kSegments[] = {1460, 1360, 1200, 536};

/// A connection whose greeting was right.
class ClientConversation {
 public:
  static std::optional<ClientConversation> open(const Target& target, Bytes segment = 0) {
    const Deadline deadline = after(kConnectTime);
    auto socket = connect_to(target.address, target.port, segment, deadline);
    if (!socket) return std::nullopt;
    forget_unsent(*socket);
    ClientConversation made(std::move(*socket));
    const auto greeting = made.channel_.line(deadline);
    if (!greeting || !greeting->starts_with("wanctl " + target.token)) return std::nullopt;
    return made;
  }

  struct Ping {
    nanoseconds round_trip{0}, clock_offset{0};
  };

  std::optional<Ping> ping() {
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    const auto begin = steady_clock::now();
    if (!channel_.write("ping", after(kConnectTime))) return std::nullopt;
    const auto answer = channel_.line(after(kConnectTime));
    if (!answer || !answer->starts_with("pong ")) return std::nullopt;
    const nanoseconds round_trip = steady_clock::now() - begin;
    return Ping{round_trip, nanoseconds(std::atoll(answer->c_str() + 5)) - (wall + round_trip / 2)};
  }

  struct Flow {
    BytesPerSecond rate = 0;
    Bytes bytes = 0;
  };

  /// Sends for so long, as fast as the connection takes it; what arrived by then.
  Flow flow(std::chrono::milliseconds time) {
    const Deadline deadline = after(time + kConnectTime);
    if (!channel_.write(fmt::format("sink {}", time.count()), deadline)) return {};
    while (!wait_for(socket_.fd(), POLLIN, after(0ms)) && steady_clock::now() < deadline) send(deadline);
    Flow flow;
    if (const auto answer = channel_.line(deadline))
      std::istringstream(answer->substr(5)) >> flow.rate >> flow.bytes;
    return flow;
  }

  Bytes path_mtu() const {
    tcp_info info{};
    socklen_t length = sizeof info;
    ::getsockopt(socket_.fd(), IPPROTO_TCP, TCP_INFO, &info, &length);
    return info.tcpi_pmtu;
  }

  std::string congestion_control() const {
    std::array<char, 32> name{};
    socklen_t length = name.size() - 1;
    ::getsockopt(socket_.fd(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &length);
    return name.data();
  }

 private:
  explicit ClientConversation(Socket socket)
      : socket_(std::move(socket)), channel_(socket_.fd(), socket_.fd()) {}

  void send(Deadline deadline) {
    static const std::array<char, 1 << 16> zeros{};
    pollfd poll{socket_.fd(), POLLIN | POLLOUT, 0};
    ::poll(&poll, 1,
           static_cast<int>(
               std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count()));
    if (poll.revents & POLLOUT) ::send(socket_.fd(), zeros.data(), zeros.size(), MSG_NOSIGNAL);
  }

  Socket socket_;
  LineChannel channel_;
};

/// The shortest of some pings: it waited least.
std::optional<ClientConversation::Ping> best_ping(ClientConversation& conversation) {
  std::optional<ClientConversation::Ping> best;
  const Deadline enough = after(kPingTime);
  for (int i = 0; i < kMostPings && (i < kFewestPings || steady_clock::now() < enough); ++i) {
    const auto ping = conversation.ping();
    if (!ping) break;
    if (!best || ping->round_trip < best->round_trip) best = ping;
  }
  return best;
}

std::chrono::milliseconds flow_time(nanoseconds round_trip) {
  return std::clamp(std::chrono::ceil<std::chrono::milliseconds>(kFlowRoundTrips * round_trip),
                    std::chrono::milliseconds(kShortestFlow), std::chrono::milliseconds(kLongestFlow));
}

/// The longest segment with which something passes; 0: none.
Bytes passing_segment(const Target& target, std::chrono::milliseconds time) {
  for (const Bytes segment : kSegments) {
    auto conversation = ClientConversation::open(target, segment);
    if (conversation && conversation->flow(time).bytes >= kStalled) return segment;
  }
  return 0;
}

/// Until the queues that the flow has filled are empty, so that the next measurement finds the link quiet.
void settle(const Target& target, nanoseconds round_trip) {
  const Deadline deadline = after(2s);
  auto conversation = ClientConversation::open(target);
  while (conversation && steady_clock::now() < deadline) {
    const auto ping = conversation->ping();
    if (!ping || ping->round_trip < 2 * round_trip + 2ms) return;
  }
}

}  // namespace

std::vector<Reach> reach_all(const std::vector<Target>& targets) {
  std::vector<Call> calls;
  for (const Target& target : targets) calls.push_back(begin(target));
  const Deadline deadline = after(kAddressTime);
  while (advance_any(calls, deadline)) {
  }
  std::vector<Reach> reaches;
  for (Call& call : calls) {
    if (!call.is_over) end(call, call.is_connected ? Answer::another_host : Answer::silent);
    reaches.push_back(std::move(call.reach));
  }
  return reaches;
}

Measurement measure(const Target& target) {
  Measurement result;
  auto conversation = ClientConversation::open(target);
  const auto ping = conversation ? best_ping(*conversation) : std::nullopt;
  if (!ping) return result;
  result.round_trip_ns = ping->round_trip.count();
  result.clock_offset_ns = ping->clock_offset.count();
  const auto time = flow_time(ping->round_trip);
  const auto flow = conversation->flow(time);
  result.rate = flow.rate;
  result.path_mtu = conversation->path_mtu();
  result.congestion_control = conversation->congestion_control();
  result.is_stalled = flow.bytes < kStalled;
  conversation.reset();
  if (result.is_stalled) result.passing_segment = passing_segment(target, time);
  settle(target, ping->round_trip);
  return result;
}

}  // namespace wan::tools::doctor
