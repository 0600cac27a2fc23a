/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for a header that Open MPI 5 does not install: its mutex and condition are the pthread objects
 * themselves, which fixes the layout of opal_mutex_t and ompi_wait_sync_t (checked in mca/ompi.h). Whatever
 * initialises them here matches what the library does. */
#ifndef WAN_SHIM_THREADS_PTHREADS_MUTEX_H
#define WAN_SHIM_THREADS_PTHREADS_MUTEX_H
#include <pthread.h>

typedef pthread_mutex_t opal_thread_internal_mutex_t;
typedef pthread_cond_t opal_thread_internal_cond_t;

#define OPAL_THREAD_INTERNAL_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define OPAL_THREAD_INTERNAL_COND_INITIALIZER PTHREAD_COND_INITIALIZER

static inline int opal_thread_internal_mutex_init(opal_thread_internal_mutex_t *mutex, bool recursive) {
  pthread_mutexattr_t kind;
  int failed = pthread_mutexattr_init(&kind);
  if (failed) return OPAL_ERR_IN_ERRNO;
  if (recursive) failed = pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  if (!failed) failed = pthread_mutex_init(mutex, &kind);
  pthread_mutexattr_destroy(&kind);
  return failed ? OPAL_ERR_IN_ERRNO : OPAL_SUCCESS;
}
static inline void opal_thread_internal_mutex_lock(opal_thread_internal_mutex_t *mutex) {
  pthread_mutex_lock(mutex);
}
static inline int opal_thread_internal_mutex_trylock(opal_thread_internal_mutex_t *mutex) {
  return pthread_mutex_trylock(mutex) != 0;
}
static inline void opal_thread_internal_mutex_unlock(opal_thread_internal_mutex_t *mutex) {
  pthread_mutex_unlock(mutex);
}
static inline void opal_thread_internal_mutex_destroy(opal_thread_internal_mutex_t *mutex) {
  pthread_mutex_destroy(mutex);
}
static inline int opal_thread_internal_cond_init(opal_thread_internal_cond_t *condition) {
  return pthread_cond_init(condition, 0) ? OPAL_ERR_IN_ERRNO : OPAL_SUCCESS;
}
static inline void opal_thread_internal_cond_wait(opal_thread_internal_cond_t *condition,
                                                  opal_thread_internal_mutex_t *mutex) {
  pthread_cond_wait(condition, mutex);
}
static inline void opal_thread_internal_cond_broadcast(opal_thread_internal_cond_t *condition) {
  pthread_cond_broadcast(condition);
}
static inline void opal_thread_internal_cond_signal(opal_thread_internal_cond_t *condition) {
  pthread_cond_signal(condition);
}
static inline void opal_thread_internal_cond_destroy(opal_thread_internal_cond_t *condition) {
  pthread_cond_destroy(condition);
}
#endif
