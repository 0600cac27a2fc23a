// SPDX-License-Identifier: BSD-3-Clause
// One TCP connection of two processes: frames out of it, and frames into it without ever waiting. The bytes
// of a message are not copied; they stay where they are until they have been written. A socket takes hardly
// more than it can send at once (TCP_NOTSENT_LOWAT), so what comes next goes to the stream that has room.
// One owner, one thread. Tested by tests/unit/streams_streams.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/types.h"
#include "probe/socket.h"
#include "streams/frame.h"

namespace wan {

/// Whom to tell of a message.
class StreamUser {
 public:
  virtual ~StreamUser() = default;
  /// Of its message `index`: all has been written, or has come; or the other process, or the way to it, is
  /// lost. Not while one of the functions below streams/streams.h runs.
  virtual void stream_ended(std::int32_t index, bool is_lost) = 0;
  /// Will what the message waits for never come, for a reason that no stream knows? Asked now and then.
  virtual bool is_in_vain(std::int32_t /*index*/) { return false; }
};

/// How fast a message may be written.
class StreamPace {
 public:
  virtual ~StreamPace() = default;
  /// Bytes that may go at `now`, with the headers of all layers; 0: later.
  virtual Bytes room(Nanoseconds now) = 0;
  /// They go.
  virtual void take(Nanoseconds now, Bytes bytes) = 0;
  /// Bytes that go in a round trip.
  virtual Bytes window() = 0;
};

/// A message whose user is to be told.
struct Ended {
  StreamUser* user = nullptr;
  std::int32_t index = 0;
  bool is_lost = false;
};

/// A message on its way out.
struct Departing {
  MessageNumber number = 0;
  std::span<const char> bytes;
  std::size_t framed = 0, written = 0;  ///< bytes that have a frame; that the kernel has
  bool may_go = true;                   ///< else it must be asked for
  StreamUser* user = nullptr;
  std::int32_t index = 0;
  StreamPace* pace = nullptr;  ///< nullptr: at once
  std::uint64_t place = 0;     ///< among the messages to all processes
};

class Stream {
 public:
  enum class State : std::uint8_t { connecting, greeting, ready };

  Stream(probe::Socket socket, State state);

  State state() const { return state_; }
  void set_state(State state) { state_ = state; }
  int descriptor() const { return socket_.descriptor(); }
  bool has_connected() const { return socket_.has_connected(); }

  /// The kernel says that there is room, or something to read.
  void can_write() { is_full_ = false; }
  void can_read() { may_have_more_ = true; }
  bool may_have_more() const { return may_have_more_; }

  /// May a message's next frame be given? If not, the stream has something to write.
  bool is_free() const { return !is_full_ && header_.empty() && payload_.empty(); }
  bool is_full() const { return is_full_; }
  /// Has a message used it?
  bool has_carried() const { return of_ != nullptr; }
  /// As TCP has it now.
  struct Room {
    std::size_t at_once = 0;  ///< bytes that it would send: by its window, which it takes back after a pause
    std::size_t unsent = 0;   ///< bytes that wait for the window already
    std::size_t packet = 0;   ///< bytes of a full one, without headers
  };
  Room room() const;
  /// A frame with the bytes of a message, which stay until it has been written. The stream is free.
  void give(const Frame& frame, std::span<const char> payload, Departing* of);
  /// A short frame, which goes as soon as there is room between others.
  void say(const Frame& frame, std::string_view bytes = {});
  /// Has it anything left to write?
  bool has_more() const { return !header_.empty() || !payload_.empty() || !sayings_.empty(); }

  /// Writes what there is room for. False if the connection is over. `written(message, bytes)` is told of the
  /// bytes of messages.
  template <class Written>
  bool write(Written written) {
    while (!is_full_ && has_more()) {
      if (header_.empty() && payload_.empty()) header_ = std::exchange(sayings_, {});
      const std::optional<std::size_t> sent = write_once();
      if (!sent) return false;
      if (*sent > 0) written(of_, *sent);
    }
    return true;
  }

  /// Reads what has come, at most so much as fits, and hands it to `sink` (streams/frame.h). False if the
  /// connection is over, or nobody sends such bytes.
  template <class Sink>
  bool read(std::span<char> room, Sink& sink) {
    const std::optional<std::size_t> got = read_once(room);
    return got && reader_.read(room.first(*got), sink);
  }

 private:
  /// How many bytes of a message it has written; nullopt if the connection is over.
  std::optional<std::size_t> write_once();
  std::optional<std::size_t> read_once(std::span<char> room);

  probe::Socket socket_;
  State state_;
  bool is_full_ = true, may_have_more_ = false;  ///< until the kernel says otherwise
  std::string header_;                           ///< what is left of what goes before payload_
  std::span<const char> payload_;
  Departing* of_ = nullptr;
  std::string sayings_;
  FrameReader reader_;
};

}  // namespace wan
