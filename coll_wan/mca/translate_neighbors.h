// SPDX-License-Identifier: BSD-3-Clause
// As mca/translate.h, for the collectives over the neighbours of a cartesian, graph or distributed graph
// topology. Threads: any. Tested by: tests/mpi (all three kinds of topology, periodic and not, few ranks
// along a dimension).
#pragma once

#include "mca/arguments.h"
#include "mca/communicator.h"

namespace wan::translate {

Task neighbor_allgather(Communicator& comm, const void* send, Elements send_count, Type send_type,
                        void* receive, Elements receive_count, Type receive_type);
Task neighbor_allgatherv(Communicator& comm, const void* send, Elements send_count, Type send_type,
                         void* receive, ElementArray receive_counts, Displacements displacements,
                         Type receive_type);
Task neighbor_alltoall(Communicator& comm, const void* send, Elements send_count, Type send_type,
                       void* receive, Elements receive_count, Type receive_type);
Task neighbor_alltoallv(Communicator& comm, const void* send, ElementArray send_counts,
                        Displacements send_displacements, Type send_type, void* receive,
                        ElementArray receive_counts, Displacements receive_displacements, Type receive_type);
Task neighbor_alltoallw(Communicator& comm, const void* send, ElementArray send_counts,
                        ByteDisplacements send_displacements, Types send_types, void* receive,
                        ElementArray receive_counts, ByteDisplacements receive_displacements,
                        Types receive_types);

}  // namespace wan::translate
