// SPDX-License-Identifier: BSD-3-Clause
#include "streams/stream.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

namespace wan {
namespace {

/// A socket that holds so many bytes which it cannot send yet takes no more.
constexpr int kUnsent = 1;
/// Seconds without an answer after which TCP asks whether the other end is there.
constexpr int kKeepalive = 60;

void set_options(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsent, sizeof kUnsent);
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &kKeepalive, sizeof kKeepalive);
}

bool must_wait() {
  return errno == EAGAIN || errno == EWOULDBLOCK;
}

}  // namespace

Stream::Stream(probe::Socket socket, State state) : socket_(std::move(socket)), state_(state) {
  set_options(socket_.descriptor());
}

/// As Linux does it: for each retransmission timeout without data the window halves, down to ten packets.
Stream::Room Stream::room() const {
  constexpr std::uint32_t kInitial = 10;
  tcp_info info{};
  socklen_t length = sizeof info;
  if (getsockopt(descriptor(), IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return {};
  std::uint32_t window = info.tcpi_snd_cwnd;
  if (info.tcpi_unacked == 0)
    for (std::uint64_t pause = std::uint64_t{info.tcpi_last_data_sent} * 1'000;
         pause > info.tcpi_rto && window > kInitial; pause -= info.tcpi_rto)
      window = std::max(window / 2, kInitial);
  const std::size_t free = window > info.tcpi_unacked ? window - info.tcpi_unacked : 0;
  const std::size_t bytes = free * info.tcpi_snd_mss, unsent = info.tcpi_notsent_bytes;
  return {bytes - std::min(bytes, unsent), unsent, info.tcpi_snd_mss};
}

void Stream::give(const Frame& frame, std::span<const char> payload, Departing* of) {
  const FrameHeader header = encode(frame);
  header_ = std::exchange(sayings_, {});
  header_.append(header.begin(), header.end());
  payload_ = payload;
  of_ = of;
}

void Stream::say(const Frame& frame, std::string_view bytes) {
  const FrameHeader header = encode(frame);
  sayings_.append(header.begin(), header.end());
  sayings_ += bytes;
}

std::optional<std::size_t> Stream::write_once() {
  iovec parts[] = {{header_.data(), header_.size()}, {const_cast<char*>(payload_.data()), payload_.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  const ssize_t sent = sendmsg(descriptor(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && must_wait()) is_full_ = true;
  if (sent < 0) return must_wait() || errno == EINTR ? std::optional<std::size_t>(0) : std::nullopt;
  const std::size_t of_header = std::min<std::size_t>(header_.size(), static_cast<std::size_t>(sent));
  const std::size_t of_payload = static_cast<std::size_t>(sent) - of_header;
  header_.erase(0, of_header);
  payload_ = payload_.subspan(of_payload);
  return of_payload;
}

std::optional<std::size_t> Stream::read_once(std::span<char> room) {
  const ssize_t got = recv(descriptor(), room.data(), room.size(), MSG_DONTWAIT);
  if (got == 0) return std::nullopt;
  if (got > 0) return static_cast<std::size_t>(got);
  if (must_wait()) may_have_more_ = false;
  return must_wait() || errno == EINTR ? std::optional<std::size_t>(0) : std::nullopt;
}

}  // namespace wan
