// SPDX-License-Identifier: BSD-3-Clause
// Which processes of a communicator are gone, where MPI tells (user-level failure mitigation: MPIX_ functions
// of Open MPI 5 and newer, under mpirun --with-ft ulfm). Elsewhere none ever is. Threads: one at a time.
// Tested by tests/mpi/multicast_test.sh.
#pragma once

#include <mpi.h>

#include <chrono>
#include <vector>

namespace wan::multicast {

class LostProcesses {
 public:
  explicit LostProcesses(MPI_Comm comm) : comm_(comm) {}

  /// Ranks that are gone and were not when this was called last. Looks at most every few milliseconds.
  std::vector<int> take_new();
  bool any() const { return known_ > 0; }
  /// Of a call or a request that has failed because a process is gone.
  static bool is_loss(int error);
  /// What requests end with that needed such a process.
  static int error();
  /// Begins what ends when all that live have begun it. *all: in: is it so here; out: was it so everywhere.
  int agree(int* all, MPI_Request* request) const;

 private:
  MPI_Comm comm_;
  int known_ = 0;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace wan::multicast
