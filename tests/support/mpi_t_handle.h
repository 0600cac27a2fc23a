// SPDX-License-Identifier: BSD-3-Clause
// Performance variables of MPI_T that belong to a communicator, with any version of Open MPI. Threads: as
// MPI_T. Tested by: tests/mpi/mpi_performance.cc.
#pragma once

#include <mpi.h>

#include <array>

namespace mpitest {

/// Binds variable `index` to `comm`; returns MPI's code. Open MPI 6.0.0rc2 takes the place where the handle
/// of the communicator lies for the communicator, and refuses what it finds there, mostly; behind this handle
/// there are zeros, which it takes.
inline int bind_variable(MPI_T_pvar_session session, int index, MPI_Comm comm, MPI_T_pvar_handle* handle,
                         int* count) {
  struct {
    MPI_Comm comm;
    std::array<char, 4096> zeros = {};
  } padded{comm};
  return MPI_T_pvar_handle_alloc(session, index, &padded, handle, count);
}

}  // namespace mpitest
