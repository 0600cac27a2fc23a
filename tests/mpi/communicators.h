// SPDX-License-Identifier: BSD-3-Clause
// The communicators that every collective is tested on, each with the rank that this process must have in it.
// Invariant: the rank and size that MPI reports equal those computed here (checked when made), except those
// of "site", which depend on the labels of other processes. Threads: one. Tested by: mpi_collectives.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace mpitest {

class Session;

/// A communicator as seen from this process; `comm` is MPI_COMM_NULL on processes outside.
struct Communicator {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = -1;
  int size = 0;
};

/// Names of the communicators, in a fixed order.
const std::vector<std::string>& communicator_names();

/// All of them, made in the order of the names.
class Communicators {
 public:
  /// Collective over MPI_COMM_WORLD. `site` is this process's site label (any text; processes with equal text
  /// form the communicator "site"). A rank or size that is not the expected one is a failure of `session`.
  Communicators(Session& session, const std::string& site);
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  const Communicator& operator[](std::size_t name) const { return all_[name]; }

 private:
  std::vector<Communicator> all_;
};

}  // namespace mpitest
