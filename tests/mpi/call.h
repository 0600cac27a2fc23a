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
#include "exchange.h"
#include "forms.h"
#include "image.h"
#include "perform.h"

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

/// What to call, on what: everything about a call but its buffers.
struct Target {
  Collective collective;
  Form form;
  MPI_Comm comm;
  int root;  // rank, or MPI_ROOT or MPI_PROC_NULL on an intercommunicator; ignored if the collective has none
};

/// An action with a send and a receive buffer: filled and verified by an Exchange.
class Checked : public Action {
 public:
  Checked(Exchange exchange, const Operator* op);
  Checked(const Checked&) = delete;
  Checked& operator=(const Checked&) = delete;

  void fill(std::uint64_t salt) override;
  std::string verify() override;

  /// The receive buffer's data after the call, as one hash.
  std::uint64_t digest() const;

 protected:
  const Exchange& exchange() const { return exchange_; }
  const Operator* reduction() const { return op_; }

  Argument send_argument_, receive_argument_;

 private:
  std::string verify_receive();
  std::string take_rounded(Image& expected) const;

  const Operator* op_;
  Exchange exchange_;
  Image send_, send_before_, receive_, receive_before_;
  std::uint64_t salt_ = 0;
};

/// One rank's call of one of the 17 collectives or of reduce_local.
class Call : public Checked {
 public:
  /// `op` is needed if the collective reduces.
  Call(const Target& target, Exchange exchange, const Operator* op);

  int issue(MPI_Request* request) override;

 private:
  int issue_movement(MPI_Request* request);
  int issue_vector(MPI_Request* request);
  int issue_reduction(MPI_Request* request);

  Target target_;
};

/// Rank of the case's root in a communicator of `size`.
int root_rank(Root root, int size);

}  // namespace mpitest
