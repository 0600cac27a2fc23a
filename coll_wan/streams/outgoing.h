// SPDX-License-Identifier: BSD-3-Clause
// What a process sends to one other over streams. Those that have room take frames in turn, so all get on
// alike where each is held to a rate (as some networks hold every connection).
// One owner, one thread. Tested by tests/unit/streams_streams.cc.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <vector>

#include "streams/stream.h"

namespace wan {

class Outgoing {
 public:
  Outgoing() = default;
  Outgoing(const Outgoing&) = delete;
  Outgoing& operator=(const Outgoing&) = delete;

  bool is_lost() const { return is_lost_; }
  /// Does it take messages?
  bool is_ready() const { return is_ready_; }
  /// One more stream takes messages.
  void opened() { left_behind_ = 0; }
  /// Is a stream in this state?
  bool has(Stream::State state) const;
  bool is_busy() const { return !messages_.empty(); }
  /// Of the messages to all processes, which one is its oldest? It is busy.
  std::uint64_t oldest() const { return messages_.begin()->second.place; }
  /// Is there something that may not go yet because of its pace?
  bool is_held() const { return is_held_; }
  std::list<Stream>& streams() { return streams_; }
  const std::list<Stream>& streams() const { return streams_; }

  /// A message; place: among those to all processes. The user is told when all of it has been written.
  Ticket add(std::span<const char> bytes, StreamUser& user, std::int32_t index, StreamPace* pace,
             std::uint64_t place);
  /// Writes what there is room for. False if it is lost.
  bool write(std::vector<Ended>& ended);
  /// How many more streams, which take `window` bytes each at once, would have found something to do.
  std::size_t wanted(std::size_t window) const;
  /// Hears what has come on a stream. False if it is lost.
  bool hear(Stream& stream, std::span<char> room);
  /// There are no streams any more, and never will be.
  void lose(std::vector<Ended>& ended);
  /// Ends what is in vain and has not begun.
  void end_what_is_in_vain(std::vector<Ended>& ended);

 private:
  struct Replies;
  /// A stream that may take a frame.
  struct Candidate {
    Stream* stream;
    std::optional<Stream::Room> room = {};  ///< asked when it is its turn
  };
  Departing* next_to_frame(Nanoseconds now);
  Candidate* next_with_room();
  std::size_t fill(Candidate& candidate, Departing& message, std::size_t most, Nanoseconds now);

  bool is_lost_ = false, is_ready_ = false;
  std::list<Stream> streams_;
  std::vector<Candidate> candidates_;  ///< of write()
  std::size_t turn_ = 0;               ///< which of them was the last
  std::map<MessageNumber, Departing> messages_;
  MessageNumber next_ = 0;
  bool lacks_room_ = false;      ///< something could go if a stream had room
  bool is_held_ = false;         ///< by its pace
  std::size_t left_behind_ = 0;  ///< bytes that had to wait for a window, since there was nothing to send
  std::size_t allowed_ = 0, sent_unasked_ = 0, asked_ = 0;  ///< bytes
};

}  // namespace wan
