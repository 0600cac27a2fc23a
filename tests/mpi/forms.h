// SPDX-License-Identifier: BSD-3-Clause
// One call in any of the three forms of a collective: blocking, nonblocking, persistent.
// Threads: no state. Tested by: every program here that runs collectives.
#pragma once

#include <mpi.h>
#if OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPITEST_INIT(Name) MPIX_##Name##_init
#else
#define MPITEST_INIT(Name) MPI_##Name##_init
#endif

namespace mpitest {

/// The form in which a collective is called.
enum class Form { kBlocking, kNonblocking, kPersistent };

/// Calls `blocking`, `nonblocking` or `init` with the same arguments. The request is set unless the form is
/// blocking.
template <class Blocking, class Nonblocking, class Init, class... Arguments>
int issue(Form form, MPI_Request* request, Blocking blocking, Nonblocking nonblocking, Init init,
          Arguments... arguments) {
  if (form == Form::kBlocking) return blocking(arguments...);
  if (form == Form::kNonblocking) return nonblocking(arguments..., request);
  return init(arguments..., MPI_INFO_NULL, request);
}

}  // namespace mpitest

/// The three functions of a collective: MPITEST_FORMS(Bcast, bcast).
#define MPITEST_FORMS(Name, name) MPI_##Name, MPI_I##name, MPITEST_INIT(Name)
