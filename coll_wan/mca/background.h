// SPDX-License-Identifier: BSD-3-Clause
// Calls of the component's own, which no request of the application stands for: the first contact of a
// communicator (mca/contact.h), the survey of a process topology (mca/edge_survey.h). Each keeps its
// communicator until it is over; nothing waits for that but who has to, and MPI_Finalize. Threads: any.
// Tested by: tests/mpi.
#pragma once

#include <chrono>
#include <functional>

#include "mca/operation.h"

namespace wan {

using Clock = std::chrono::steady_clock;

/// Starts it. `over` is told how it ended; then it is gone.
void run_in_background(
    Task task, Finished over = [](int) {});
/// Runs `act` in the next pass of Open MPI's progress loop. `comm` is kept until then.
void run_soon(ompi_communicator_t* comm, std::function<void()> act);
/// Makes progress until nothing is under way in the background, or until `deadline`.
void await_background(Clock::time_point deadline);
/// From now on MPI_Finalize waits for it. Once.
void await_background_at_finalize();

}  // namespace wan
