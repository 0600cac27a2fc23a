/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for a header that installations leave out; op.h needs this one macro of it. */
#ifndef WAN_SHIM_FINT_2_INT_H
#define WAN_SHIM_FINT_2_INT_H
#define OMPI_INT_2_FINT(value) ((MPI_Fint)(value))
#endif
