/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded, makes a process wait after each fork, so that a child which ends at once has ended before its
 * parent goes on: what otherwise happens now and then, on a busy machine. Used by lab_mpirun_test.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

enum { kWaitMicroseconds = 20000 };

pid_t fork(void) {
  pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
  const pid_t child = real();
  if (child > 0) usleep(kWaitMicroseconds);
  return child;
}
