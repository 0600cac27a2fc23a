// SPDX-License-Identifier: BSD-3-Clause
// Messages of multicast engines over MPI: nonblocking sends, and what has come is asked for by MPI_Improbe,
// so that nothing is received of which the length is not known. Threads: one at a time. Tested by
// tests/mpi/mpi_multicast.cc.
#pragma once

#include <mpi.h>

#include <deque>
#include <map>
#include <vector>

#include "multicast/engine.h"
#include "multicast/strided_map.h"

namespace wan::multicast {

class MpiCarrier : public Carrier {
 public:
  /// comm: of nobody else. ranks, positions: of each other.
  MpiCarrier(MPI_Comm comm, StridedMap ranks, StridedMap positions)
      : comm_(comm), ranks_(std::move(ranks)), positions_(std::move(positions)) {}

  void send(Position to, std::shared_ptr<const Packet> packet) override;
  /// Hands what has come to the engine. True: something has happened.
  bool progress(Engine& engine);
  /// How many messages this process has sent to each rank. For the end, when everybody counts.
  std::vector<long> sent() const;
  long received() const { return received_; }
  bool is_sending() const { return !sends_.empty(); }
  /// The first error of MPI since it was last asked for; MPI_SUCCESS: none.
  int take_error();

 private:
  struct Coming {
    Position from;
    Buffer buffer;
    MPI_Request request;
    bool is_here = false;
  };
  void note(int error);
  bool complete_sends();
  bool ask_for_more();
  bool hand_over(Engine& engine);

  MPI_Comm comm_;
  StridedMap ranks_, positions_;
  std::vector<MPI_Request> sends_;
  std::vector<std::shared_ptr<const Packet>> packets_;  ///< of sends_
  std::vector<int> done_;
  std::vector<MPI_Status> statuses_;
  std::deque<Coming> coming_;
  std::map<Position, long> sent_;
  long received_ = 0;
  int error_ = MPI_SUCCESS;
};

}  // namespace wan::multicast
