// SPDX-License-Identifier: BSD-3-Clause
// All multicasts of one process: its own, those that come to it, and those that it passes on (papers/001,
// section 6). It sends whole messages over a Carrier and never waits for anything.
//
// - A multicast goes in segments. Each process passes a segment on as soon as it has it. Multicasts that
//   have something for the same neighbour take turns, segment by segment: none waits for a long one to end.
// - What a neighbour has been sent and still holds is bounded by a window (Settings::window) for each Leg by
//   which it has come. It gives room back (Kind::returns) when it has passed a segment on to all. So the
//   memory of a forwarder is bounded by three windows of each of those that send to it, however slow those
//   are to which it forwards.
// - That holds nobody up for ever. What has come from x to y is passed on by y at rows after LCD(x, y) only.
//   So room at y for row r waits for room at others for rows after r only, and these waits have no cycle:
//   what theorem 2 of the paper says of its steps holds of the memory for them. What is in the last row is
//   passed on to nobody.
// - Multicasts may go by different tables where the columns of each are powers of those of the first. Then
//   their entries are entries of the first too, so what has come from x to y is passed on at rows of that
//   table after LCD(x, y), and the same holds.
// - What is passed on between hosts of a site by a chain (forwarding.h) goes to greater positions, but for
//   one step: so without more, rooms would wait for each other in a ring. But room for Leg::wrapped waits for
//   such room at greater positions and for rows of a host, room for Leg::chain also for that of Leg::wrapped,
//   and room for rows of a host for later rows. So these waits have no cycle either.
// - A process passes on before it looks whether it can keep its own copy. Where it cannot (inbox.h), it says
//   so, and has the source send it once more when it is asked for. The source has the data until all have
//   taken them. So an application that does not receive holds up its sources only.
//
// A multicast has ended at its source when all destinations have it. They say so up the tree: each process
// answers once all to whom it has sent have answered. Of a short one the source keeps a copy until then
// (Settings::copied), so its data are free at once, and nobody waits for the answers: they go when there is
// nothing else to do (rest()), and not before those who wait for the data have them. Between two processes
// multicasts may overtake one another.
//
// Processes may be lost (lose()). Who has sent such a one what it had to pass on says so up the tree, and the
// source itself sends it to each of those destinations. They take it from its beginning, or, where they have
// had all of it, only answer. For that a process keeps the numbers of what others have passed on to it, as
// long as the source may still be sending it.
//
// Threads: one at a time. Tested by tests/unit/multicast_engine.cc and tests/property/engines.cc.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "multicast/forwarding.h"
#include "multicast/inbox.h"
#include "multicast/message.h"
#include "multicast/routing_table.h"
#include "multicast/shape.h"

namespace wan::multicast {

/// What follows a message. The bytes stay where they are as long as somebody has the holder.
struct Payload {
  std::string_view bytes{};
  std::shared_ptr<const void> holder{};
};

class Carrier {
 public:
  virtual ~Carrier() = default;
  /// Keeps the order of messages to one process, and the holder until the payload is not needed any more.
  virtual void send(Position to, const Message& message, Payload payload) = 0;
};

struct Settings {
  /// Bytes that another process may hold of what this one has sent to it by Leg::table: what is under way
  /// over a link that is full, and what it takes to pass it on. At least `least_window`.
  std::function<Bytes(Position)> window;
  Bytes least_window = 64 << 10;  ///< equal on all processes
  /// The same by each of the legs of a chain: a segment that comes, one that is passed on, and one whose room
  /// is being given back. More would only queue, at each process of the chain again. At least
  /// `least_window`.
  Bytes chain_window = 192 << 10;
  std::function<Shape(Bytes, const Destinations&)> shape;  ///< of a multicast from this process
  std::function<Forwarder(Bytes)> forwarder;
  Bytes inbox = 64 << 20;  ///< Inbox
  /// Multicasts of at most so many bytes are copied.
  Bytes copied = 4 << 10;
  /// Of copies whose multicasts are under way; then no more are made, so that the application is held up.
  Bytes copies = 4 << 20;
};

/// A multicast or a receive of this process that has ended. is_lost: a destination is, or the source from
/// which it was to come; a multicast that was copied has ended before, and is told of once more.
struct Ended {
  Ticket ticket = 0;
  Envelope envelope{};
  bool is_lost = false;
  friend bool operator==(const Ended&, const Ended&) = default;
};

/// To whom a multicast with this source and tag goes; the same on all processes (the paper's get_children).
using Knowledge = std::function<Destinations(Position source, int tag)>;

class Engine {
 public:
  /// tables: of this process; as many, of the same columns, on all. Settings::shape chooses among them.
  Engine(std::vector<RoutingTable> tables, Settings settings, Carrier& carrier);

  /// Before any process sends to whom all know.
  void know(Knowledge knowledge) { knowledge_ = std::move(knowledge); }

  /// A multicast of data that stay as they are until take_ended() has told of it. destinations: this process
  /// may be one. all_know: they are what each process knows (know()), so no message says who they are.
  Ticket send(std::span<const char> data, int tag, const Destinations& destinations, bool all_know = false);
  Ticket receive(std::span<char> buffer, Pattern pattern);
  /// False: the receive has matched.
  bool cancel(Ticket receive) { return inbox_.cancel(receive); }
  /// Multicasts and receives that have ended since it was last asked for.
  std::vector<Ended> take_ended();
  std::optional<Envelope> probe(Pattern pattern) const { return inbox_.probe(pattern); }

  struct Arrived {
    bool is_sound = false;  ///< else it is nothing that any process of this domain would send, and forgotten
    std::span<char> place{};  ///< of its payload; empty: nobody needs that
  };
  /// A message has come, and a payload of so many bytes follows it.
  Arrived arrived(Position from, std::string_view bytes, Bytes payload);
  /// A payload for which there was a place is there, or will never come. Those of one process in their order.
  void landed(Position from, bool is_there = true);
  /// Something that this process has sent does not come, as it is lost, and so nothing after it is taken.
  /// Until lose() its multicasts stay as they are.
  void interrupted(Position from) { interrupted_.insert(from); }
  /// Gives back what payloads have returned since. After landed(), and when the carrier has given up holders.
  void settle();
  /// Sends the answers for which nobody waits. When nothing has come, and before the process turns to
  /// something else for long. False: there are none.
  bool rest();
  /// Nothing comes from this process any more, and nothing goes to it.
  void lose(Position position);
  /// Nothing is given back from now on: all multicasts of the domain have ended.
  void close() {
    is_closed_ = true;
    answers_.clear();
  }

  /// Multicasts of this process that not all have yet, or that it passes on.
  std::size_t under_way() const { return transfers_.size(); }
  /// Of those some still need their data, or something that this process has to pass on.
  bool needs_data() const;
  /// That others have sent and this process still holds to pass it on.
  Bytes held() const { return debts_->held; }
  Bytes kept() const { return inbox_.kept(); }

 private:
  /// To one process.
  struct Stream {
    Branch branch;
    bool direct = false;
    std::int64_t next = 0;        ///< segment
    std::deque<Payload> ready{};  ///< what has come and goes on; at the source nothing
    bool has_turn = false, is_taken = false;
  };
  /// Of a destination that gets it from the source itself.
  enum class Direct {
    waits,  ///< until it asks
    is_sent,
    is_asked,  ///< and sent, but may be refused: it has asked meanwhile
    is_done
  };
  struct Transfer {
    Name name;
    std::uint64_t number = 0;  ///< no other of this process has had it
    Envelope envelope;
    Bytes segment = 1;
    std::uint8_t table = 0, children = 0;
    std::uint32_t oldest = 0;          ///< Message
    Position from;                     ///< at the source: itself
    Leg leg = Leg::table;              ///< by which it comes
    Payload data{};                    ///< at the source
    std::optional<Ticket> ticket{};    ///< at the source
    Bytes announced = 0, written = 0;  ///< of those that come, and have come
    bool is_patient = false;           ///< Message; at the source: the data are copied
    bool is_local = false;             ///< they are kept, or received
    bool is_known = false;             ///< to whom it goes
    std::deque<Stream> streams{};
    int unanswered = 0;                            ///< streams of the tree
    std::map<Position, Direct> direct{};           ///< at the source
    bool is_lost = false;                          ///< at the source: a destination
    std::vector<Position> refused{}, unreached{};  ///< not at the source
    Range range;                                   ///< to which the destinations belong
  };
  /// A payload on its way to memory of this process.
  struct Landing {
    Name name;
    std::uint64_t transfer = 0;
    Payload payload{};
    std::optional<Inbox::Spot> spot{};  ///< it goes to where it stays
  };
  /// What a process has got over others, or had to get from the source itself.
  struct Received {
    std::uint32_t oldest = 0;  ///< what came before has ended
    std::set<std::uint32_t> numbers{};
  };
  /// To another process, or from it.
  using Path = std::pair<Position, Leg>;
  /// To a process.
  struct Lane {
    Bytes room = 0, window = 0;
    std::deque<std::pair<Name, std::size_t>> turns{};
  };
  /// What others' messages that are gone have taken.
  struct Debts {
    std::map<Path, Bytes> owed{};
    Bytes held = 0;
  };

  static Path path(const Stream& stream) { return {stream.branch.to, stream.branch.leg}; }
  Lane& lane(Path path);
  void say(Position to, const Message& message);
  std::shared_ptr<const void> hold(Path from, Bytes bytes);
  void branch(Transfer& transfer, int row, const Destinations& destinations, Leg leg);
  Message beginning(const Transfer& transfer, const Stream& stream, std::string& positions) const;
  void note_end(const Transfer& transfer);
  bool has_received(const Name& name, std::uint32_t oldest);
  Payload following(const Transfer& transfer, const Stream& stream) const;
  static bool has_more(const Transfer& transfer, const Stream& stream);
  bool copy(Transfer& transfer, const Destinations& destinations);
  static Bytes copy_of(const Transfer& transfer);
  void take_turn(Transfer& transfer, std::size_t stream);
  void pump(Path to);
  std::optional<Destinations> known(const Message& message) const;
  Arrived begin(Position from, const Message& message, Bytes payload, std::shared_ptr<const void> room);
  Arrived continue_with(Position from, const Message& message, Bytes payload,
                        std::shared_ptr<const void> room);
  std::span<char> announce(Transfer& transfer, Bytes payload, std::shared_ptr<const void> room);
  void advance(Transfer& transfer, const Landing& landing);
  bool answered(Position from, const Message& message);
  bool gone(Position from, const Name& name);
  bool asked(Position from, const Name& name);
  void send_directly(Transfer& transfer, Position to);
  bool begin_directly(const Message& message, const Envelope& envelope);
  void give_up(Transfer& transfer, std::size_t stream);
  void give_up_lost(Transfer& transfer);
  void miss(Transfer& transfer, const Destinations& destinations);
  void drop(const Name& name);
  std::uint32_t oldest() const;
  bool returned(Path from, Bytes bytes);
  void ask(const Name& name);
  void end_if_done(Transfer& transfer);

  std::vector<RoutingTable> tables_;
  Position self_;
  Settings settings_;
  Knowledge knowledge_;
  Carrier& carrier_;
  Inbox inbox_;
  std::map<Name, Transfer> transfers_;
  std::map<Path, Lane> lanes_;
  std::shared_ptr<Debts> debts_ = std::make_shared<Debts>();
  std::map<Position, std::deque<Landing>> landings_;
  std::vector<Name> late_;  ///< done but for what the carrier still needs of their data
  std::vector<std::pair<Position, Name>> answers_;  ///< for which nobody waits
  Bytes copies_ = 0;
  std::vector<Ended> ended_;
  std::set<Position> lost_, interrupted_;
  std::map<Position, Received> received_;  ///< by source
  bool may_be_odd_ = false;                ///< messages come that are not needed, since a process was lost
  std::uint32_t numbers_ = 0;
  Ticket tickets_ = 0;
  std::uint64_t transfers_ever_ = 0;
  bool is_closed_ = false;
};

}  // namespace wan::multicast
