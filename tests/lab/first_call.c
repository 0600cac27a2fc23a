/* SPDX-License-Identifier: BSD-3-Clause
 *   first_call bcast|allreduce|barrier|gather SECONDS
 * Prints how long MPI_Init and the first and the second call of a collective (8 bytes a rank, root 0) took on
 * the rank that took longest, in microseconds. The calls are released on all hosts of a lab, which share a
 * clock, SECONDS after the epoch and a second later: no message before them opens a connection. Prints
 * nothing if MPI_Init ended too late for that. Run by contact_test.sh over emulated sites. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double *everyones;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Meanwhile MPI makes progress. */
static void sleep_until(double instant) {
  while (now() < instant) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    if (instant - now() > 1e-3) usleep(200);
  }
}

static void call(const char *collective) {
  double mine = 1;
  if (!strcmp(collective, "bcast"))
    MPI_Bcast(&mine, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  else if (!strcmp(collective, "allreduce"))
    MPI_Allreduce(&mine, everyones, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  else if (!strcmp(collective, "gather"))
    MPI_Gather(&mine, 1, MPI_DOUBLE, everyones, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  else
    MPI_Barrier(MPI_COMM_WORLD);
}

/* From the release to the return, seconds. */
static double released_call(const char *collective, double instant) {
  sleep_until(instant);
  call(collective);
  return now() - instant;
}

int main(int argc, char **argv) {
  const double begin = now();
  const char *collective = argc > 2 ? argv[1] : "barrier";
  const double release = argc > 2 ? atof(argv[2]) : 0;
  double took[4], most[4];
  int rank, size;
  MPI_Init(&argc, &argv);
  took[0] = now() - begin;
  took[3] = now() - release;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  everyones = malloc((size_t)size * sizeof *everyones);
  took[1] = released_call(collective, release);
  took[2] = released_call(collective, release + 1);
  MPI_Reduce(took, most, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0 && most[3] < -0.1)
    printf("init_us %.0f first_us %.0f second_us %.0f\n", most[0] * 1e6, most[1] * 1e6, most[2] * 1e6);
  free(everyones);
  MPI_Finalize();
  return 0;
}
