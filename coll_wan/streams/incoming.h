// SPDX-License-Identifier: BSD-3-Clause
// What a process receives of one other over streams. Frames go where they belong; what comes before it is
// asked for is kept. One owner, one thread. Tested by tests/unit/streams_streams.cc.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <vector>

#include "streams/stream.h"

namespace wan {

class Incoming {
 public:
  /// unasked: bytes that may come that nobody has asked for.
  explicit Incoming(std::size_t unasked) : unasked_(unasked) {}
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

  bool is_lost() const { return is_lost_; }
  /// Is anything awaited, or left to say?
  bool is_busy() const;
  std::list<Stream>& streams() { return streams_; }
  const std::list<Stream>& streams() const { return streams_; }
  std::size_t unasked() const { return unasked_; }

  /// Has what the ticket stands for written to `into`; what does not fit is dropped.
  void ask(const Ticket& ticket, std::span<char> into, StreamUser& user, std::int32_t index,
           std::vector<Ended>& ended);
  /// Takes what has come on a stream. False if it is lost.
  bool hear(Stream& stream, std::span<char> room, std::vector<Ended>& ended);
  /// Writes what there is to say. False if it is lost.
  bool write();
  /// There are no streams any more, and never will be.
  void lose(std::vector<Ended>& ended);
  /// Ends what is in vain; what still comes of it is dropped.
  void end_what_is_in_vain(std::vector<Ended>& ended);

 private:
  struct Arriving {
    std::size_t total = 0, got = 0;
    std::span<char> into = {};
    std::unique_ptr<char[]> kept = {};  ///< all of it, until it is asked for
    bool is_asked_for = false;
    StreamUser* user = nullptr;  ///< nullptr: nobody needs it any more
    std::int32_t index = 0;
  };
  struct Data;
  void tell_credit();
  void end_if_whole(MessageNumber number, Arriving& message, std::vector<Ended>& ended);

  const std::size_t unasked_;
  bool is_lost_ = false;
  std::list<Stream> streams_;
  std::map<MessageNumber, Arriving> messages_;
  std::size_t kept_ = 0;              ///< bytes of messages that nobody has asked for
  std::size_t asked_ = 0, told_ = 0;  ///< bytes
};

}  // namespace wan
