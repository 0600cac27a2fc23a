/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for a header that Open MPI 5 does not install: how a thread gives way when it waits. */
#ifndef WAN_SHIM_THREADS_PTHREADS_H
#define WAN_SHIM_THREADS_PTHREADS_H
typedef void(opal_threads_pthreads_yield_fn_t)(void);
OPAL_DECLSPEC extern opal_threads_pthreads_yield_fn_t *opal_threads_pthreads_yield_fn;
#endif
