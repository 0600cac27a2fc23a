// SPDX-License-Identifier: BSD-3-Clause
// MPI, and the name that the persistent collectives have in this version of Open MPI.
#pragma once

#include <mpi.h>

#if OMPI_MAJOR_VERSION >= 5
#define WAN_PERSISTENT(name) MPI_##name##_init
#else
#include <mpi-ext.h>
#define WAN_PERSISTENT(name) MPIX_##name##_init
#endif
