// SPDX-License-Identifier: BSD-3-Clause
#include "streams/frame.h"

namespace wan {
namespace {

constexpr std::uint64_t kMark = 0x01'7773;  // "sw" and the version
constexpr std::uint64_t kTicketMark = 0x7465'6b63'6974'7701;

/// Writes and reads numbers one after the other.
class Writer {
 public:
  explicit Writer(std::span<char> to) : to_(to) {}
  void put(std::uint64_t number, int bytes = 8) {
    for (int i = 0; i < bytes; ++i, number >>= 8) to_[next_++] = static_cast<char>(number & 0xff);
  }

 private:
  std::span<char> to_;
  std::size_t next_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const char> from) : from_(from) {}
  std::uint64_t take(int bytes = 8) {
    std::uint64_t number = 0;
    for (int i = 0; i < bytes; ++i)
      number |= std::uint64_t{static_cast<unsigned char>(from_[next_++])} << (8 * i);
    return number;
  }

 private:
  std::span<const char> from_;
  std::size_t next_ = 0;
};

bool is_kind(std::uint64_t kind) {
  return kind >= static_cast<std::uint64_t>(FrameKind::hello) &&
         kind <= static_cast<std::uint64_t>(FrameKind::credit);
}

bool may_have_bytes(FrameKind kind) {
  return kind == FrameKind::hello || kind == FrameKind::data;
}

}  // namespace

FrameHeader encode(const Frame& frame) {
  FrameHeader header;
  Writer writer(header);
  writer.put(kMark, 3);
  writer.put(static_cast<std::uint64_t>(frame.kind), 1);
  writer.put(frame.length, 4);
  writer.put(frame.number);
  writer.put(frame.offset);
  writer.put(frame.total);
  return header;
}

std::optional<Frame> decode_frame(const FrameHeader& header) {
  Reader reader(header);
  const std::uint64_t mark = reader.take(3), kind = reader.take(1);
  Frame frame;
  frame.length = static_cast<std::uint32_t>(reader.take(4));
  frame.number = reader.take();
  frame.offset = reader.take();
  frame.total = reader.take();
  if (mark != kMark || !is_kind(kind) || frame.length > kLongestFrame) return std::nullopt;
  frame.kind = static_cast<FrameKind>(kind);
  if (frame.length > 0 && !may_have_bytes(frame.kind)) return std::nullopt;
  const bool fits = frame.offset <= frame.total && frame.length <= frame.total - frame.offset;
  if (frame.kind == FrameKind::data && (!fits || frame.length == 0)) return std::nullopt;
  return frame;
}

TicketBytes encode(const Ticket& ticket) {
  TicketBytes bytes;
  Writer writer(bytes);
  writer.put(kTicketMark);
  writer.put(ticket.number);
  writer.put(ticket.bytes);
  writer.put(ticket.must_be_asked_for ? 1 : 0);
  return bytes;
}

std::optional<Ticket> decode_ticket(const TicketBytes& bytes) {
  Reader reader(bytes);
  const std::uint64_t mark = reader.take();
  Ticket ticket;
  ticket.number = reader.take();
  ticket.bytes = reader.take();
  const std::uint64_t asked = reader.take();
  if (mark != kTicketMark || asked > 1) return std::nullopt;
  ticket.must_be_asked_for = asked == 1;
  return ticket;
}

std::size_t FrameReader::collect(std::span<const char> bytes) {
  const std::size_t part = std::min(bytes.size(), kFrameHeader - collected_);
  std::copy_n(bytes.begin(), part, header_.begin() + static_cast<std::ptrdiff_t>(collected_));
  collected_ += part;
  return part;
}

}  // namespace wan
