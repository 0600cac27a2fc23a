// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of an MPI collective to a Task: one function for each collective, for all three forms of
// it (mca/entry.h), on intracommunicators and intercommunicators (process/parties.h). The arguments come as
// Open MPI's coll interface passes them: the root of an intercommunicator's other group is its rank there, of
// the own group MPI_ROOT or MPI_PROC_NULL. Threads: any. Tested by: tests/mpi (every collective, form, root,
// MPI_IN_PLACE, zero counts, derived datatypes).
#pragma once

#include "mca/arguments.h"
#include "mca/communicator.h"

namespace wan::translate {

/// The task does nothing.
Task nothing(Communicator& comm, Task task = {});

Task allgather(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
               Elements receive_count, Type receive_type);
Task allgatherv(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
                ElementArray receive_counts, Displacements displacements, Type receive_type);
Task allreduce(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op);
Task alltoall(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
              Elements receive_count, Type receive_type);
Task alltoallv(Communicator& comm, const void* send, ElementArray send_counts,
               Displacements send_displacements, Type send_type, void* receive, ElementArray receive_counts,
               Displacements receive_displacements, Type receive_type);
Task alltoallw(Communicator& comm, const void* send, ElementArray send_counts,
               Displacements send_displacements, Types send_types, void* receive, ElementArray receive_counts,
               Displacements receive_displacements, Types receive_types);
Task barrier(Communicator& comm);
Task bcast(Communicator& comm, void* buffer, Elements count, Type type, int root);
Task exscan(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op);
Task gather(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
            Elements receive_count, Type receive_type, int root);
Task gatherv(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
             ElementArray receive_counts, Displacements displacements, Type receive_type, int root);
Task reduce(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op, int root);
Task reduce_scatter(Communicator& comm, const void* send, void* receive, ElementArray receive_counts,
                    Type type, Op op);
Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, Elements receive_count,
                          Type type, Op op);
Task scan(Communicator& comm, const void* send, void* receive, Elements count, Type type, Op op);
Task scatter(Communicator& comm, const void* send, Elements send_count, Type send_type, void* receive,
             Elements receive_count, Type receive_type, int root);
Task scatterv(Communicator& comm, const void* send, ElementArray send_counts, Displacements displacements,
              Type send_type, void* receive, Elements receive_count, Type receive_type, int root);

}  // namespace wan::translate
