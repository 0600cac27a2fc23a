// SPDX-License-Identifier: BSD-3-Clause
// The MPI request of a collective call. One kind serves the blocking form (start, wait, free), the
// nonblocking form (start) and the persistent form (created complete and inactive, started again and again).
//
// Derives from ompi_coll_base_nbc_request_t, because MPI_I*() casts what it gets to that. A request's memory
// is never given back before the component closes: Open MPI's free hook touches it after req_free.
//
// Threads: requests are created, started and freed by one thread at a time, completed by any.
// Tested by: tests/mpi (all three forms, several outstanding, threads, user datatypes and operators freed
// early).
#pragma once

#include "mca/ompi.h"
#include "mca/task.h"

namespace wan {

enum class Form : std::uint8_t { blocking, nonblocking, persistent };

/// A request for `task`.
ompi_request_t* make_request(Form form, Task&& task);
/// Starts the call of a request that make_request() returned.
void start(ompi_request_t* request);
/// Waits for a started request, frees it and returns its status.
int finish(ompi_request_t* request);
/// Gives the memory of all freed requests back; when the component closes.
void discard_free_requests();

}  // namespace wan
