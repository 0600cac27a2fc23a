// SPDX-License-Identifier: BSD-3-Clause
// Messages of multicast engines over MPI. A message goes as a frame, for which each process has receives
// posted, with its payload in it where that is short. A longer payload follows the frame as a message of its
// own, straight from where it is to where it belongs: MPI may copy it once, or not at all. All requests are
// looked at by one call of MPI: it may give the processor to others each time that nothing has happened.
// Threads: one at a time. Tested by tests/mpi/mpi_multicast.cc.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "multicast/engine.h"
#include "multicast/strided_map.h"

namespace wan::multicast {

class MpiCarrier : public Carrier {
 public:
  /// comm: of nobody else. ranks, positions: of each other.
  MpiCarrier(MPI_Comm comm, StridedMap ranks, StridedMap positions);

  void send(Position to, const Message& message, Payload payload) override;
  /// Hands what has come to the engine. True: something has happened.
  bool progress(Engine& engine);
  /// Nothing comes from this process any more, and nothing goes to it. MPI may say so of requests that it can
  /// cancel, and of others never.
  void lose(Position position);
  /// Nothing is received any more; what still goes or comes, as with processes that are lost, is forgotten.
  void stop();
  /// How many messages this process has sent to each rank. For the end, when everybody counts.
  std::vector<long> sent() const;
  long received() const { return received_; }
  /// Something goes or comes that has begun.
  bool is_busy() const { return requests_.size() > kSlots; }
  /// The first error of MPI since it was last asked for; MPI_SUCCESS: none.
  int take_error();

 private:
  static constexpr std::size_t kSlots = 16;
  static constexpr std::size_t kSlotBytes = 4'000;  ///< goes without a rendezvous, also within a host

  /// What follows a frame, or waits for what follows the one before it.
  struct Coming {
    enum class Kind {
      payload,  ///< of a message of which the engine knows
      message,  ///< too long for a frame, and its payload behind it
      frame
    };
    Kind kind;
    Position from;
    Buffer memory{0};  ///< none: the engine has a place for it
    std::size_t message_bytes = 0;
    bool is_here = false, is_there = false;  ///< there: without error
  };
  /// What a request is for, but for those of slots.
  struct Errand {
    Position with = 0;  ///< to it, or from it
    Payload payload{};
    Buffer frame{0};
    std::shared_ptr<Coming> coming{};
  };
  struct Slot {
    Buffer memory{kSlotBytes};
    int rank = 0, bytes = 0;
    bool is_posted = false, is_full = false;
  };
  using Arriving = std::shared_ptr<Coming>;

  void note(int error);
  bool add(MPI_Request request, Errand errand);
  void start(std::string_view bytes, Position to, int tag, Errand errand);
  void post();
  Arriving await(Coming coming, std::span<char> place);
  bool test();
  void complete(std::size_t request, const MPI_Status& status);
  void take_frames(Engine& engine);
  Arriving take(Engine& engine, Position from, std::string_view frame);
  Arriving take_whole(Engine& engine, Position from, std::string_view message, std::string_view payload);
  bool must_wait(Position from) const;
  void hand_over(Engine& engine);
  bool give_up_lost();

  MPI_Comm comm_;
  StridedMap ranks_, positions_;
  std::vector<MPI_Request> requests_;  ///< of the slots, and then of errands
  std::vector<Errand> errands_;
  std::vector<Slot> slots_{kSlots};
  std::size_t next_slot_ = 0, next_post_ = 0;  ///< they are posted, and MPI fills them, by turns
  std::deque<Arriving> coming_;
  std::vector<int> done_;
  std::vector<MPI_Status> statuses_;
  std::map<Position, long> sent_;
  using Clock = std::chrono::steady_clock;
  std::map<Position, Clock::time_point> lost_;  ///< and when their payloads are given up
  long received_ = 0;
  int error_ = MPI_SUCCESS;
};

}  // namespace wan::multicast
