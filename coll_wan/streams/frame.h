// SPDX-License-Identifier: BSD-3-Clause
// What goes over a stream: frames, each a header of 32 bytes (little-endian) and as many bytes as it says.
// And the ticket, which goes the usual way in a message's place and names what comes over streams. Pure
// functions and state without sockets. No threads. Tested by tests/unit/streams_frame.cc and
// tests/fuzz/streams_frame.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace wan {

/// Who somebody is: job and number in it.
using ProcessName = std::uint64_t;
/// Numbers the messages from one process to another.
using MessageNumber = std::uint64_t;

enum class FrameKind : std::uint8_t {
  hello = 1,  ///< first of a stream. number: who calls; bytes: the key of who is called
  welcome,    ///< its answer. total: so many bytes may be sent that nobody has asked for
  data,       ///< bytes of message `number`, which has `total`, from `offset`
  grant,      ///< message `number` is asked for
  credit      ///< total: how many bytes have been asked for that were sent before
};

struct Frame {
  FrameKind kind = FrameKind::data;
  std::uint32_t length = 0;  ///< of the bytes that follow
  std::uint64_t number = 0, offset = 0, total = 0;

  friend bool operator==(const Frame&, const Frame&) = default;
};

inline constexpr std::size_t kFrameHeader = 32;
/// More than any sender puts into a frame.
inline constexpr std::uint32_t kLongestFrame = 1 << 20;

using FrameHeader = std::array<char, kFrameHeader>;
FrameHeader encode(const Frame& frame);
/// nullopt: nobody sends such a header.
std::optional<Frame> decode_frame(const FrameHeader& header);

/// Stands for `bytes` bytes that come over streams as message `number`.
struct Ticket {
  MessageNumber number = 0;
  std::uint64_t bytes = 0;
  bool must_be_asked_for = false;  ///< else it is under way

  friend bool operator==(const Ticket&, const Ticket&) = default;
};
using TicketBytes = std::array<char, 32>;
TicketBytes encode(const Ticket& ticket);
/// nullopt: that is no ticket.
std::optional<Ticket> decode_ticket(const TicketBytes& bytes);

/// The frames of a stream, out of what is read from it.
class FrameReader {
 public:
  /// Tells `sink` of what is in `bytes`: sink.begin(frame) of each header, which says whether it is right,
  /// and sink.take(frame, offset, bytes) of each part of what follows it, at least once. False if it is not
  /// right; the stream is of no use then.
  template <class Sink>
  bool read(std::span<const char> bytes, Sink& sink) {
    while (!bytes.empty()) {
      if (frame_) {
        const std::size_t part = std::min<std::size_t>(bytes.size(), frame_->length - taken_);
        pass(sink, bytes.first(part));
        bytes = bytes.subspan(part);
        continue;
      }
      bytes = bytes.subspan(collect(bytes));
      if (collected_ < kFrameHeader) continue;
      collected_ = taken_ = 0;
      frame_ = decode_frame(header_);
      if (!frame_ || !sink.begin(*frame_)) return false;
      if (frame_->length == 0) pass(sink, {});
    }
    return true;
  }

 private:
  template <class Sink>
  void pass(Sink& sink, std::span<const char> part) {
    const Frame frame = *frame_;
    const std::uint32_t offset = taken_;
    taken_ += static_cast<std::uint32_t>(part.size());
    if (taken_ == frame.length) frame_.reset();
    sink.take(frame, offset, part);
  }
  /// How many bytes have become a part of the header.
  std::size_t collect(std::span<const char> bytes);

  FrameHeader header_{};
  std::size_t collected_ = 0;
  std::optional<Frame> frame_;  ///< whose bytes are read
  std::uint32_t taken_ = 0;
};

}  // namespace wan
