/* SPDX-License-Identifier: BSD-3-Clause
 * Prints how many ranks there are on how many hosts, and rank 0's median time of a barrier in microseconds.
 * Run by lab_mpirun_test.sh over emulated sites. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRepetitions = 21 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int count_hosts(void) {
  MPI_Comm host;
  int rank, first, hosts;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &rank);
  first = rank == 0;
  MPI_Allreduce(&first, &hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&host);
  return hosts;
}

int main(int argc, char **argv) {
  double times[kRepetitions];
  int rank, size, hosts, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  hosts = count_hosts();
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; i < kRepetitions; i++) {
    const double start = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    times[i] = MPI_Wtime() - start;
  }
  qsort(times, kRepetitions, sizeof times[0], compare);
  if (rank == 0) printf("ranks %d hosts %d barrier_us %.0f\n", size, hosts, times[kRepetitions / 2] * 1e6);
  MPI_Finalize();
  return 0;
}
