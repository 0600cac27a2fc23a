// SPDX-License-Identifier: BSD-3-Clause
// An MPI program as a user has it: it knows nothing of coll_wan. Says "right on N ranks", or aborts the job.
#include <mpi.h>
#include <stdio.h>

static void expect(long long value, long long right, const char* what) {
  if (value == right) return;
  fprintf(stderr, "%s: %lld instead of %lld\n", what, value, right);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  long long number = rank + 1, sum = 0, last = 0, before = 0;
  MPI_Allreduce(&number, &sum, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  expect(sum, ranks * (ranks + 1LL) / 2, "allreduce");
  MPI_Scan(&number, &before, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  expect(before, number * (number + 1) / 2, "scan");
  last = number;
  MPI_Bcast(&last, 1, MPI_LONG_LONG, ranks - 1, MPI_COMM_WORLD);
  expect(last, ranks, "bcast");
  MPI_Barrier(MPI_COMM_WORLD);

  if (rank == 0) printf("right on %d ranks\n", ranks);
  MPI_Finalize();
  return 0;
}
