// SPDX-License-Identifier: BSD-3-Clause
// What has come, or is coming, for one process, and what it has asked to receive. They match as in MPI: each
// receive takes the first that fits, in the order in which the first bytes came.
//
// What comes before it is asked for is kept as long as there is room. Beyond, nothing of it is kept but what
// it is, and who receives it has it sent once more (Kind::ask). So what a slow process holds is bounded, and
// it never makes others wait.
//
// A transport may write bytes where they belong (place()). Until it has (landed()) nothing of it ends:
// neither is the memory given back, nor does the application hear of its buffer. Threads: one at a time.
// Tested by tests/unit/multicast_inbox.cc.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "multicast/message.h"

namespace wan::multicast {

/// Of the application.
struct Envelope {
  Position source = 0;
  int tag = 0;
  Bytes bytes = 0;
  friend bool operator==(const Envelope&, const Envelope&) = default;
};

/// What is asked for; nullopt: any.
struct Pattern {
  std::optional<Position> source{};
  std::optional<int> tag{};
  bool fits(const Envelope& envelope) const {
    return (!source || *source == envelope.source) && (!tag || *tag == envelope.tag);
  }
};

/// Of a receive or a multicast of this process.
using Ticket = std::uint64_t;

class Inbox {
 public:
  /// room: bytes that are kept though nobody has asked for them.
  explicit Inbox(Bytes room) : room_(room) {}

  /// Does something by this name come, or has it been refused?
  bool knows(const Name& name) const;
  bool has_asked_for(const Name& name) const;
  /// Something begins to come that it does not know. False: there is no room, and nothing of it may be
  /// written.
  bool begin(const Name& name, const Envelope& envelope);
  /// What it knows comes now from the source, from its beginning. False: it was refused, and nobody has
  /// asked for it.
  bool begin_again(const Name& name);
  /// The next bytes. True: these were the last.
  bool write(const Name& name, std::string_view bytes);
  /// Where bytes belong that somebody else writes.
  struct Spot;
  /// nullopt: the buffer ends before.
  std::optional<Spot> place(const Name& name, Bytes offset, Bytes size);
  /// Nobody writes there any more. counts: these are the next bytes. True: they were the last.
  bool landed(const Spot& spot, bool counts);

  struct Posted {
    std::optional<Name> ask{};  ///< it is to be sent once more
  };
  /// Receives into `buffer`, which lives until take() has told about it.
  Posted post(Ticket ticket, Pattern pattern, std::span<char> buffer);
  /// False: it has matched already.
  bool cancel(Ticket ticket);
  /// Receives that have ended, with what they have got; more bytes than their buffers hold are cut off.
  std::vector<std::pair<Ticket, Envelope>> take_received();
  /// Nothing comes from this source any more.
  void lose(Position source);
  /// Receives that have ended so, and their source.
  std::vector<std::pair<Ticket, Position>> take_lost();
  /// The first that nobody has asked for.
  std::optional<Envelope> probe(Pattern pattern) const;

  Bytes kept() const { return kept_; }  ///< that nobody has asked for, or had when they began to come

 private:
  struct Receive {
    Ticket ticket;
    Pattern pattern;
    std::span<char> buffer;
  };
  enum class State { coming, complete, refused, lost };
  struct Arrival {
    Name name;
    Envelope envelope;
    State state = State::coming;
    Bytes written = 0;
    int landing = 0;                   ///< spots
    std::unique_ptr<char[]> memory{};  ///< where it is kept; none: in the buffer of `receive`
    std::optional<Receive> receive{};
  };
  using Place = std::list<Arrival>::iterator;

  static std::span<char> whole(const Arrival& arrival);
  bool add(Place place, Bytes bytes);
  void finish(Place place);

  Bytes room_, kept_ = 0;
  std::list<Receive> posted_;
  std::list<Arrival> arrivals_;
  std::map<Name, Place> by_name_;  ///< as the first of each was called
  std::vector<std::pair<Ticket, Envelope>> received_;
  std::vector<std::pair<Ticket, Position>> lost_;
};

struct Inbox::Spot {
  Place arrival;
  std::span<char> bytes;
};

}  // namespace wan::multicast
