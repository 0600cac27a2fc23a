/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multicasts of one process to any set of others, many at once and without communicators, for programs whose
 * processes find out at run time who needs what: task graphs above all. Link with -lwan_multicast
 * (pkg-config: wan_multicast). Works with any MPI; uses its point-to-point functions only.
 *
 * After F. Song, J. Dongarra, S. Moore, "A Scalable Non-blocking Multicast Scheme for Distributed DAG
 * Scheduling" (ICCS 2009). Processes pass on what they receive, so that each slow link is crossed once and no
 * process sends to all.
 *
 * All functions return MPI_SUCCESS or a code of MPI whose class is given below; none calls an error handler.
 * Unless a domain has its own thread (info key wan_progress), a process passes on what is not for itself
 * only inside these functions: call WAN_Progress now and then in long computations.
 *
 * Processes may die where MPI tells which (MPIX_Comm_failure_get_acked; Open MPI 5 and newer, under mpirun
 * --with-ft ulfm). What needs such a process ends with MPIX_ERR_PROC_FAILED: a multicast of which it was a
 * destination, when all others have it, and a receive that waits for it by its rank or has begun to get what
 * it has sent. A short multicast may have ended before; then WAN_Flush returns that error once. All else goes
 * on.
 *
 * Threads: any number may call at the same time if MPI gives MPI_THREAD_MULTIPLE; else one at a time, as MPI
 * itself demands.
 */
#ifndef WAN_MULTICAST_H
#define WAN_MULTICAST_H

#include <mpi.h>

#if defined(__GNUC__)
#define WAN_PUBLIC __attribute__((visibility("default")))
#else
#define WAN_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The processes of a communicator, and how they forward. */
typedef struct WAN_Domain_s *WAN_Domain;
#define WAN_DOMAIN_NULL ((WAN_Domain)0)

/* A multicast or a receive that has begun. */
typedef struct WAN_Request_s *WAN_Request;
#define WAN_REQUEST_NULL ((WAN_Request)0)

/*
 * Makes a domain of the processes of `comm`, an intracommunicator, which it duplicates. Collective. Each
 * process may give other values of these keys of `info` (or MPI_INFO_NULL), but for those marked *, which
 * must be equal on all; without a key, the environment variable behind it counts, which mpirun sets for
 * `--mca coll_wan_...`:
 *   wan_site        label of the process's site                      OMPI_MCA_coll_wan_site
 *   wan_topology    a topology file: sites by host, links            OMPI_MCA_coll_wan_topology
 *   wan_discover *  sources of sites, in order ("auto")              OMPI_MCA_coll_wan_discover
 *   wan_topograph   an output file of topograph                      OMPI_MCA_coll_wan_topograph
 *   wan_progress    "calls" (default), or "thread": a thread of the library forwards at all times; needs
 *                   MPI_THREAD_MULTIPLE
 *   wan_segment     bytes of a segment of its multicasts (default: by a model, 8192 to 61440)
 *   wan_inbox       bytes that are kept of what nobody has asked to receive yet (default: 67108864)
 * Where nothing tells processes apart, they are one site, by host.
 * Errors: MPI_ERR_COMM; MPI_ERR_INFO_VALUE: what a key, a variable or the file says cannot be, of which a
 * line on the standard error stream names file, line, value and remedy; MPI_ERR_OTHER: no
 * MPI_THREAD_MULTIPLE. If one process returns an error, all do.
 */
WAN_PUBLIC int WAN_Domain_create(MPI_Comm comm, MPI_Info info, WAN_Domain *domain);

/*
 * The same with topology IDs that are given: digits[0], ..., digits[count - 1] of this process, the widest
 * level first; processes with equal first digits are near each other. `count` is equal on all processes; IDs
 * need not differ, and need not be all that there could be. Errors: also MPI_ERR_ARG: count differs.
 */
WAN_PUBLIC int WAN_Domain_create_with_ids(MPI_Comm comm, int count, const int digits[], MPI_Info info,
                                          WAN_Domain *domain);

/*
 * Ends a domain. Collective; returns when all multicasts of all its processes have ended that live. So each
 * must have received what was sent to it, or go on with that in another thread. Requests must have ended
 * before, and handlers begin nothing any more.
 */
WAN_PUBLIC int WAN_Domain_free(WAN_Domain *domain);

/*
 * Sends count elements of `type` at `buffer` to the processes ranks[0], ..., ranks[n - 1], each once however
 * often it is named; this process may be one. The buffer must not be changed before the request has ended:
 * when all of them have it, in their own memory, or at once where the library has copied it, as it does with
 * up to 4096 bytes. Two multicasts with the same tag may overtake each other.
 * tag: 0 or more. Errors: MPI_ERR_BUFFER, MPI_ERR_COUNT (also: a derived type of more than 2 GiB), _TYPE,
 * _RANK, _TAG, _ARG (also: destinations that nobody knows).
 */
WAN_PUBLIC int WAN_Imulticast(const void *buffer, int count, MPI_Datatype type, int n, const int ranks[],
                              int tag, WAN_Domain domain, WAN_Request *request);

/*
 * To whom a multicast goes whose source and tag are given, where that follows from the task graph: the
 * paper's get_children. Writes their ranks to ranks[], which has room for each process once, in any order,
 * and returns how many there are. It gives the same answer on all processes, may be called by any thread and
 * while others are in functions of the library, and calls none of them.
 */
typedef int WAN_Destinations_function(int source, int tag, int ranks[], void *context);
/*
 * From now on WAN_Imulticast may be called with n = WAN_DESTINATIONS_KNOWN and no ranks, and its messages
 * name no destinations. Collective; once for a domain. Errors: MPI_ERR_ARG: no function, or it is not the
 * first.
 */
WAN_PUBLIC int WAN_Know_destinations(WAN_Destinations_function *function, void *context, WAN_Domain domain);
#define WAN_DESTINATIONS_KNOWN (-1)

/*
 * Receives one multicast by its source (or MPI_ANY_SOURCE) and tag (or MPI_ANY_TAG): of those that fit, the
 * one that began to come first. The end of one that is longer than the buffer is lost, and the request ends
 * with MPI_ERR_TRUNCATE. Errors as above.
 */
WAN_PUBLIC int WAN_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, WAN_Domain domain,
                         WAN_Request *request);
WAN_PUBLIC int WAN_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, WAN_Domain domain,
                        MPI_Status *status);

/* Has something begun to come that WAN_Irecv would receive now? MPI_Get_count tells of `status` how long it
 * is. With several threads another one may receive it first. */
WAN_PUBLIC int WAN_Iprobe(int source, int tag, WAN_Domain domain, int *flag, MPI_Status *status);
WAN_PUBLIC int WAN_Probe(int source, int tag, WAN_Domain domain, MPI_Status *status);

/*
 * Has the request ended? Then it is set to WAN_REQUEST_NULL, and `status`, which may be MPI_STATUS_IGNORE,
 * has source, tag and length of what was received. A null request has ended.
 */
WAN_PUBLIC int WAN_Test(WAN_Request *request, int *flag, MPI_Status *status);
WAN_PUBLIC int WAN_Wait(WAN_Request *request, MPI_Status *status);
/* All of them. statuses: n of them, or MPI_STATUSES_IGNORE. Returns the first error. */
WAN_PUBLIC int WAN_Waitall(int n, WAN_Request requests[], MPI_Status statuses[]);
/* Ends a receive that nothing has matched, and sets *flag; else it goes on. */
WAN_PUBLIC int WAN_Cancel(WAN_Request *request, int *flag);

/* What has come. `data` lives until the function returns, and is aligned for any type. */
typedef void WAN_Handler_function(const MPI_Status *status, const void *data, MPI_Count bytes, void *context);
/*
 * From now on `handler` is called for what comes with this source (or MPI_ANY_SOURCE) and tag (or
 * MPI_ANY_TAG) and no receive has asked for: inside functions of this library, or in its thread. One call at
 * a time of each handler. It may call all functions but those that wait and WAN_Domain_free.
 */
WAN_PUBLIC int WAN_Handle(int source, int tag, WAN_Handler_function *handler, void *context,
                          WAN_Domain domain);

/* Passes on, receives, and calls handlers, as far as that is possible now. */
WAN_PUBLIC int WAN_Progress(WAN_Domain domain);

/*
 * Returns when the requests of all multicasts have ended that this process has begun, though nobody has
 * waited for them, and all has gone that it has begun to pass on. Errors: those of multicasts whose requests
 * had ended before.
 */
WAN_PUBLIC int WAN_Flush(WAN_Domain domain);

#ifdef __cplusplus
}
#endif

#endif /* WAN_MULTICAST_H */
