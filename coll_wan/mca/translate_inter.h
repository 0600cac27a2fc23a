// SPDX-License-Identifier: BSD-3-Clause
// As mca/translate.h, for intercommunicators: the root is MPI_ROOT in its own group, counts and blocks belong
// to the ranks of the other group. There is no MPI_IN_PLACE. Threads: any. Tested by: tests/mpi
// (intercommunicators).
#pragma once

#include "mca/arguments.h"
#include "mca/communicator.h"

namespace wan::translate_inter {

Task allgather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
               int receive_count, Type receive_type);
Task allgatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                const int* receive_counts, const int* displacements, Type receive_type);
Task allreduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op);
Task alltoall(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
              int receive_count, Type receive_type);
Task alltoallv(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Type send_type, void* receive, const int* receive_counts, const int* receive_displacements,
               Type receive_type);
Task alltoallw(Communicator& comm, const void* send, const int* send_counts, const int* send_displacements,
               Types send_types, void* receive, const int* receive_counts, const int* receive_displacements,
               Types receive_types);
Task barrier(Communicator& comm);
Task bcast(Communicator& comm, void* buffer, int count, Type type, int root);
Task exscan(Communicator& comm, const void* send, void* receive, int count, Type type, Op op);
Task gather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
            int receive_count, Type receive_type, int root);
Task gatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             const int* receive_counts, const int* displacements, Type receive_type, int root);
Task reduce(Communicator& comm, const void* send, void* receive, int count, Type type, Op op, int root);
Task reduce_scatter(Communicator& comm, const void* send, void* receive, const int* receive_counts, Type type,
                    Op op);
Task reduce_scatter_block(Communicator& comm, const void* send, void* receive, int receive_count, Type type,
                          Op op);
/// scan and exscan are not defined here: MPI refuses them before it calls a component.
Task scan(Communicator& comm, const void* send, void* receive, int count, Type type, Op op);
Task scatter(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
             int receive_count, Type receive_type, int root);
Task scatterv(Communicator& comm, const void* send, const int* send_counts, const int* displacements,
              Type send_type, void* receive, int receive_count, Type receive_type, int root);

}  // namespace wan::translate_inter
