// SPDX-License-Identifier: BSD-3-Clause
// Fuzz target: any bytes from another process are frames or refused, however they are cut into pieces; they
// are written nowhere but where a message belongs; and 32 bytes are a ticket or none.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/invariant.h"
#include "streams/incoming.h"

namespace {

using wan::invariant;

struct Notes {
  std::vector<wan::Frame> frames;
  std::vector<std::string> bodies;
  bool begin(const wan::Frame& frame) {
    frames.push_back(frame);
    bodies.emplace_back();
    return true;
  }
  void take(const wan::Frame& frame, std::uint32_t offset, std::span<const char> bytes) {
    invariant(offset == bodies.back().size() && offset + bytes.size() <= frame.length, "bytes of no frame");
    bodies.back().append(bytes.begin(), bytes.end());
  }
};

bool read(std::span<const char> bytes, std::size_t piece, Notes& notes) {
  wan::FrameReader reader;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    if (!reader.read(bytes.subspan(at, std::min(piece, bytes.size() - at)), notes)) return false;
  return true;
}

void check_pieces(std::span<const char> bytes) {
  Notes whole;
  const bool is_right = bytes.empty() || read(bytes, bytes.size(), whole);
  for (const std::size_t piece : {1u, 7u, 32u}) {
    Notes pieces;
    invariant(read(bytes, piece, pieces) == is_right, "bytes are refused in one piece only");
    invariant(pieces.frames == whole.frames && pieces.bodies == whole.bodies, "pieces are other frames");
  }
  for (const wan::Frame& each : whole.frames)
    invariant(wan::decode_frame(wan::encode(each)) == each, "a frame is another one");
}

struct Nobody : wan::StreamUser {
  void stream_ended(std::int32_t, bool) override {}
};

/// Bytes that a stream brings where two messages are awaited. Sanitizers see what is written elsewhere.
void check_arrival(std::span<const char> bytes) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return;
  {
    wan::Incoming incoming(1 << 16);
    incoming.streams().emplace_back(wan::probe::Socket(ends[0]), wan::Stream::State::ready);
    Nobody nobody;
    std::vector<wan::Ended> ended;
    std::vector<char> first(100), second(10), room(1 << 16);
    incoming.ask({0, first.size(), false}, first, nobody, 0, ended);
    incoming.ask({1, 20, true}, second, nobody, 1, ended);
    const ssize_t sent =
        ::send(ends[1], bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 15), MSG_DONTWAIT);
    if (sent > 0 && !incoming.hear(incoming.streams().front(), room, ended)) incoming.lose(ended);
    invariant(ended.size() <= 2, "a message has ended twice");
    incoming.ask({2, 50, false}, second, nobody, 2, ended);
  }
  close(ends[1]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const char> bytes(reinterpret_cast<const char*>(data), size);
  check_pieces(bytes);
  check_arrival(bytes);
  if (wan::TicketBytes ticket; size >= ticket.size()) {
    std::copy_n(bytes.begin(), ticket.size(), ticket.begin());
    if (const auto decoded = wan::decode_ticket(ticket))
      invariant(wan::encode(*decoded) == ticket, "a ticket is other bytes");
  }
  return 0;
}
