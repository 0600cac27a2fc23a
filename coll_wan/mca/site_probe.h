// SPDX-License-Identifier: BSD-3-Clause
// The probe in MPI_Init (probe/agent.h): one process a host listens before the modex and publishes where;
// when MPI_COMM_WORLD looks for its component, all processes know all records, and decide alike whether the
// hosts measure. Host 0's agent leads and has the result. It goes to all processes by point-to-point messages
// on MPI_COMM_WORLD: what reaches them is what MPI itself needs, so no process can be without the result that
// others have. Processes wait at a socket of their agent before, so that they take no processor from those
// who measure. Threads: once, in MPI_Init. Tested by: tests/lab/probe_test.sh.
#pragma once

#include "mca/ompi.h"
#include "mca/parameters.h"
#include "process/record.h"

namespace wan {

/// Opens this process's socket if it may be its host's agent, and puts it into its record.
void open_probe(const Parameters& parameters, ProcessRecord& record);

/// What earlier jobs have measured, for the job's record; empty if nothing, or if nobody will ask for it.
std::string read_probe_cache(const Parameters& parameters);

/// Has the hosts measure if they have to, and makes the directory believe what they have found. Collective
/// over MPI_COMM_WORLD, before anybody asks the directory for sites.
void probe_network(ompi_communicator_t* world);

}  // namespace wan
