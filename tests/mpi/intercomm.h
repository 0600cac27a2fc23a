// SPDX-License-Identifier: BSD-3-Clause
// Collectives between two groups of processes, with MPI_ROOT and MPI_PROC_NULL, checked against values that
// each process computes from a formula. Source: MPI 4.0 section 6.2.3 and each collective. Threads: one.
// Tested by: mpi_intercomm, on stock Open MPI too.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "call.h"
#include "case.h"
#include "exchange.h"

namespace mpitest {

constexpr int kGroupStride = 1000;  // contributions of group g hash as ranks g * kGroupStride + rank

/// How the processes fall into groups.
enum class Cut { kHalves, kParity, kFirstAlone };

/// Two groups, this process in one of them.
struct Groups {
  MPI_Comm local;
  MPI_Comm inter;
  int mine;  // 0 or 1
  int rank;  // in my group
  int sizes[2];

  int other() const { return 1 - mine; }
  int local_size() const { return sizes[mine]; }
  int remote_size() const { return sizes[other()]; }
  /// As which contributions hash: ranks of the first group first.
  int id(int group, int r) const { return group * kGroupStride + r; }
  int my_id() const { return id(mine, rank); }
};

/// Groups of the processes of `comm`. Collective over it. Errors on the intercommunicator are returned.
Groups make_groups(Cut cut, MPI_Comm comm);
/// Frees both communicators.
void free_groups(Groups& groups);

/// One case.
struct InterCase {
  Collective collective;
  Form form;
  Cut cut;
  int root_group;
  bool last_root;
  const char* shape;
  const char* operator_name;  // "none" where nothing is reduced
  int units;                  // -1: uneven

  std::string name() const;
};

/// Is this collective defined between two groups?
bool exists_between_groups(Collective what);

/// One rank's call; `op` is needed if the collective reduces.
std::unique_ptr<Call> inter_call(const InterCase& c, const Groups& groups, const ShapeSet& shapes,
                                 const Operator* op);

}  // namespace mpitest
