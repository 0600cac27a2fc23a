/* SPDX-License-Identifier: BSD-3-Clause */
/* A program for the standard ABI of MPI 5.0, whose handles and constants are other ones than those inside
 * Open MPI and its components. It hands them to collectives: datatypes, operators of the user's,
 * MPI_IN_PLACE, MPI_ROOT, requests, numbers of 64 bits. Each process computes what it must find. Prints "abi:
 * right on N ranks", or what is wrong, and leaves with status 1. For at least three processes. Started by
 * abi_test.sh. */
#include <mpi.h>
#include <stdio.h>

enum { most_ranks = 8 };
static int rank, ranks, failures;

static void check(const char *what, int holds) {
  if (holds) return;
  ++failures;
  printf("abi: wrong on rank %d: %s\n", rank, what);
}

static void datatype(void) {
  int data[9];
  MPI_Datatype every_third;
  MPI_Type_vector(3, 1, 3, MPI_INT, &every_third);
  MPI_Type_commit(&every_third);
  for (int i = 0; i < 9; ++i) data[i] = rank == ranks - 1 ? i : -1;
  MPI_Bcast(data, 1, every_third, ranks - 1, MPI_COMM_WORLD);
  MPI_Type_free(&every_third);
  for (int i = 0; i < 9; ++i)
    check("bcast of a vector", data[i] == (rank == ranks - 1 || i % 3 == 0 ? i : -1));
}

/* The composition of functions x -> a x + b, which depends on their order. */
static void compose(void *left, void *right, int *length, MPI_Datatype *type) {
  const long *f = left;
  long *g = right;
  int size = 0;
  MPI_Type_size(*type, &size);
  check("the datatype that an operator gets", size == (int)(2 * sizeof(long)));
  for (int i = 0; i < *length; ++i, f += 2, g += 2) {
    g[1] += g[0] * f[1];
    g[0] *= f[0];
  }
}

static void operators(void) {
  const long mine[2] = {2, rank};
  long all[2], x = 1, sum = rank;
  MPI_Datatype function;
  MPI_Op composition;
  MPI_Type_contiguous(2, MPI_LONG, &function);
  MPI_Type_commit(&function);
  MPI_Op_create(compose, 0, &composition);
  MPI_Allreduce(mine, all, 1, function, composition, MPI_COMM_WORLD);
  MPI_Op_free(&composition);
  MPI_Type_free(&function);
  for (int i = 0; i < ranks; ++i) x = 2 * x + i;
  check("allreduce with the user's operator", all[0] + all[1] == x);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  check("allreduce in place", sum == (long)ranks * (ranks - 1) / 2);
  const struct {
    double value;
    int rank;
  } place = {rank == 1 ? 9.5 : 0.5, rank};
  struct {
    double value;
    int rank;
  } found = {0, 0};
  MPI_Reduce(&place, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
  if (rank == 0) check("reduce to the place of the largest", found.value == 9.5 && found.rank == 1);
}

/* Rank r sends 2 r integers to each rank, which takes those of odd ranks in pairs. */
static void many_datatypes(void) {
  int out_counts[most_ranks], out_at[most_ranks], in_counts[most_ranks], in_at[most_ranks];
  int out[most_ranks][2 * most_ranks], in[most_ranks][2 * most_ranks];
  MPI_Datatype pair, out_types[most_ranks], in_types[most_ranks];
  MPI_Request request;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int peer = 0; peer < ranks; ++peer) {
    out_counts[peer] = 2 * rank;
    in_counts[peer] = peer % 2 ? peer : 2 * peer;
    out_types[peer] = MPI_INT;
    in_types[peer] = peer % 2 ? pair : MPI_INT;
    out_at[peer] = in_at[peer] = peer * (int)sizeof out[0];
    for (int i = 0; i < 2 * most_ranks; ++i) {
      out[peer][i] = 1000 * rank + 100 * peer + i;
      in[peer][i] = -1;
    }
  }
  MPI_Ialltoallw(out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, MPI_COMM_WORLD,
                 &request);
  MPI_Type_free(&pair);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int peer = 0; peer < ranks; ++peer)
    for (int i = 0; i < 2 * most_ranks; ++i)
      check("ialltoallw", in[peer][i] == (i < 2 * peer ? 1000 * peer + 100 * rank + i : -1));
}

static void large_numbers(void) {
  MPI_Count counts[most_ranks];
  MPI_Aint at[most_ranks];
  long mine[most_ranks], all[most_ranks * most_ranks];
  MPI_Request request;
  for (int peer = 0; peer < ranks; ++peer) {
    counts[peer] = peer;
    at[peer] = (MPI_Aint)most_ranks * (ranks - 1 - peer);
    mine[peer] = 100 * rank + peer;
  }
  MPI_Allgatherv_init_c(mine, rank, MPI_LONG, all, counts, at, MPI_LONG, MPI_COMM_WORLD, MPI_INFO_NULL,
                        &request);
  for (int time = 0; time < 2; ++time) {
    for (int i = 0; i < most_ranks * ranks; ++i) all[i] = -1;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int peer = 0; peer < ranks; ++peer)
      for (int i = 0; i < most_ranks; ++i)
        check("allgatherv_init_c", all[at[peer] + i] == (i < peer ? 100 * peer + i : -1));
  }
  MPI_Request_free(&request);
}

static void two_groups(void) {
  MPI_Comm half, both;
  int number = 100 + rank;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &both);
  MPI_Bcast(&number, 1, MPI_INT, rank == 0 ? MPI_ROOT : rank % 2 ? 0 : MPI_PROC_NULL, both);
  check("bcast to the other group", number == (rank % 2 ? 100 : 100 + rank));
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 3 || ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 99);
  datatype();
  operators();
  many_datatypes();
  large_numbers();
  two_groups();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && failures == 0) printf("abi: right on %d ranks\n", ranks);
  MPI_Finalize();
  return failures != 0;
}
