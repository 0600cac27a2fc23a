// SPDX-License-Identifier: BSD-3-Clause
// Carries out the first contact of a communicator (algo/services/contact.h) when it is made, in the
// background.
//
// A contact under way keeps a reference to its communicator: one that is freed meanwhile goes when its
// contact is over, and nothing waits for it but MPI_Finalize. MPI_Init waits for that of MPI_COMM_WORLD, but
// not for ever. Whom a process has met in MPI_COMM_WORLD it does not meet again: both know that of each
// other. Communicators that a session makes from a group have no first contact: nothing that comes before a
// session's end could wait for it. An error ends a contact like success; the call that needs the connection
// will report it.
// Threads: any. Tested by: tests/mpi (many communicators, threads, idup), tests/lab (what the first
// collective takes).
#pragma once

#include "mca/communicator.h"

namespace wan {

/// Once for each intracommunicator, on all its ranks, before any collective on it.
void begin_contact(Communicator& communicator);

}  // namespace wan
