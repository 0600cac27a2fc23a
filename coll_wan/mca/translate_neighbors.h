// SPDX-License-Identifier: BSD-3-Clause
// As mca/translate.h, for the collectives over the neighbours of a cartesian, graph or distributed graph
// topology. Threads: any. Tested by: tests/mpi (all three kinds of topology, periodic and not, few ranks
// along a dimension).
#pragma once

#include "mca/arguments.h"
#include "mca/communicator.h"

namespace wan::translate {

Task neighbor_allgather(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                        int receive_count, Type receive_type);
Task neighbor_allgatherv(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                         const int* receive_counts, const int* displacements, Type receive_type);
Task neighbor_alltoall(Communicator& comm, const void* send, int send_count, Type send_type, void* receive,
                       int receive_count, Type receive_type);
Task neighbor_alltoallv(Communicator& comm, const void* send, const int* send_counts,
                        const int* send_displacements, Type send_type, void* receive,
                        const int* receive_counts, const int* receive_displacements, Type receive_type);
Task neighbor_alltoallw(Communicator& comm, const void* send, const int* send_counts,
                        const MPI_Aint* send_displacements, Types send_types, void* receive,
                        const int* receive_counts, const MPI_Aint* receive_displacements,
                        Types receive_types);

}  // namespace wan::translate
