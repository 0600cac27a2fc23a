// SPDX-License-Identifier: BSD-3-Clause
// From an Exchange to the MPI call, in any form.
// Invariant: arguments that MPI declares not significant are nonsense (null buffers, negative counts, null
// datatypes), so that an implementation that looks at them is found out. Threads: a Call belongs to one
// thread; two may run at once. Tested by: mpi_collectives.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "case.h"
#include "communicators.h"
#include "exchange.h"
#include "forms.h"
#include "image.h"

namespace mpitest {

/// What MPI takes for one buffer. The arrays must outlive the request.
struct Argument {
  void* buffer = nullptr;
  int count = -5;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<MPI_Datatype> types;
};

/// One rank's call of a case: its buffers, its arguments, its request.
class Call {
 public:
  Call(const Case& c, const Communicator& comm, const ShapeSet& shapes, const Operator* op,
       std::uint64_t seed);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Fills the buffers with the formula's values for `salt`.
  void fill(std::uint64_t salt);

  /// Calls the collective, or its `_init`. Returns MPI's error code.
  int issue(MPI_Request* request);

  /// Compares the buffers with the formula; an empty text if all is right.
  std::string verify();

  /// The receive buffer's data after the call, as one hash.
  std::uint64_t digest() const;

  const Communicator& communicator() const { return comm_; }

 private:
  int issue_movement(MPI_Request* request);
  int issue_vector(MPI_Request* request);
  int issue_reduction(MPI_Request* request);
  std::string verify_receive();
  std::string take_rounded(Image& expected) const;

  Case case_;
  Communicator comm_;
  const Operator* op_;
  Place place_;
  Exchange exchange_;
  Image send_, send_before_, receive_, receive_before_;
  Argument send_argument_, receive_argument_;
  std::uint64_t salt_ = 0;
};

/// Rank of the case's root in a communicator of `size`.
int root_rank(Root root, int size);

}  // namespace mpitest
