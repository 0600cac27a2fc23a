// SPDX-License-Identifier: BSD-3-Clause
// What stands before each source that is built for SMPI, the MPI of SimGrid (bench/multicast/simulate). A
// simulated process must not poll: either simulated time stands still meanwhile, or each look takes some. So
// libwan_multicast's calls go through those below, and a process that has nothing to do waits for the next
// message in MPI_Waitany: no step of polling is in the simulated times. Tested by
// bench/multicast/multicast_test.sh.
#pragma once

#define sched_yield wan_await_message  // what std::this_thread::yield() calls

#include <mpi.h>
// The helpers of SMPI are macros, also for members of classes.
#undef exit
#undef sleep
#undef usleep
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef getopt

/// Tells the receiver of a frame (api/mpi_carrier.h) by another message, of no bytes, that comes as soon as
/// anything could.
int wan_isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request);
/// Of MPI_ANY_SOURCE: takes the next frame once it has come, in the order of its source's. SMPI gives a
/// receive to a message when that is sent, and messages from near would wait for those from far off.
int wan_irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request);
int wan_testsome(int count, MPI_Request requests[], int* done, int places[], MPI_Status statuses[]);
int wan_cancel(MPI_Request* request);
int wan_wait(MPI_Request* request, MPI_Status* status);
/// The end of a domain, for which nothing comes any more.
int wan_comm_free(MPI_Comm* comm);
/// What a domain asks for again and again when it begins and ends: from there until it is there, all waiting
/// is in steps of time.
int wan_ibarrier(MPI_Comm comm, MPI_Request* request);
/// At the end of a domain, when no process needs another one's progress. SMPI's takes a message from each
/// process to each.
int wan_ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request);
/// SMPI's does not set the flag for a null request if the status is ignored.
int wan_test(MPI_Request* request, int* flag, MPI_Status* status);

#ifdef WAN_SIMULATED_LIBRARY  // not its benchmark
#define MPI_Isend wan_isend
#define MPI_Irecv wan_irecv
#define MPI_Testsome wan_testsome
#define MPI_Cancel wan_cancel
#define MPI_Wait wan_wait
#define MPI_Comm_free wan_comm_free
#define MPI_Test wan_test
#define MPI_Ibarrier wan_ibarrier
#define MPI_Ireduce_scatter_block wan_ireduce_scatter_block
#endif
