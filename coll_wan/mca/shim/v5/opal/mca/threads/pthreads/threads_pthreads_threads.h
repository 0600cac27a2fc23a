/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for a header that Open MPI 5 does not install: giving way is the library's own choice. */
#ifndef WAN_SHIM_THREADS_PTHREADS_THREADS_H
#define WAN_SHIM_THREADS_PTHREADS_THREADS_H
#include "opal/mca/threads/pthreads/threads_pthreads.h"
#include "opal/mca/threads/threads.h"

#define OPAL_THREAD_YIELD_WHEN_IDLE_DEFAULT false

static inline void opal_thread_yield(void) {
  opal_threads_pthreads_yield_fn();
}
#endif
