// SPDX-License-Identifier: BSD-3-Clause
// Multicast engines of all processes of a domain over a network that a test controls: messages between two
// processes stay in order, and so do their payloads, which come after them; everything else may happen in any
// order.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "multicast/engine.h"
#include "multicast/places.h"

namespace wan {

class MulticastNetwork {
 public:
  using Position = multicast::Position;
  /// columns: of each of the routing tables of a process.
  MulticastNetwork(const multicast::Places& places, const std::vector<std::vector<int>>& columns,
                   const multicast::Settings& settings);

  multicast::Engine& at(Position position) { return *processes_[static_cast<std::size_t>(position)].engine; }
  Position size() const { return static_cast<Position>(processes_.size()); }
  using Pair = std::pair<Position, Position>;
  /// Pairs between which something is under way, in the order of processes.
  std::vector<Pair> under_way() const;
  /// The next message between two arrives with its payload. False: the receiver says that nobody sends such a
  /// thing.
  bool deliver(Pair pair);
  /// The next message without its payload.
  bool arrive(Pair pair);
  bool has_messages(Pair pair) const;
  /// The next payload of a message that has arrived. is_there: or it never comes.
  void land(Pair pair, bool is_there = true);
  bool has_landings(Pair pair) const;
  /// All processes send the answers for which nobody waits. False: there are none.
  bool rest();
  /// All there is, in rounds, with those answers.
  void deliver_all();
  /// From now on nothing that goes to this process arrives, until it is called again.
  void stop(Position position) { stopped_ = position; }
  void go_on() { stopped_ = -1; }

  /// This process does nothing any more. What it has sent may still arrive.
  void kill(Position position);
  bool is_dead(Position position) const { return dead_.contains(position); }

  std::size_t messages() const { return messages_; }
  std::size_t bytes() const { return bytes_; }  ///< of all messages
  std::size_t messages_between(Position from, Position to) const;
  Bytes most_held() const { return most_held_; }

 private:
  class Wire;
  void settle(Pair pair);
  struct Process {
    std::unique_ptr<multicast::Carrier> wire;
    std::unique_ptr<multicast::Engine> engine;
  };
  struct Sent {
    multicast::Buffer message;
    multicast::Payload payload;
  };
  struct Landing {
    std::span<char> place;
    multicast::Payload payload;
  };
  std::map<Pair, std::deque<Sent>> queues_;
  std::map<Pair, std::deque<Landing>> landings_;
  std::map<Pair, std::size_t> sent_;
  std::vector<Process> processes_;
  std::size_t messages_ = 0, bytes_ = 0;
  Bytes most_held_ = 0;
  Position stopped_ = -1;
  std::set<Position> dead_;
};

}  // namespace wan
