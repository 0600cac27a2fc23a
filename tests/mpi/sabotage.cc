// SPDX-License-Identifier: BSD-3-Clause
// Wrong collectives, to prove that mpi_collectives notices: linked into mpi_sabotaged, these definitions take
// the place of MPI's and spoil one thing on one rank, named by the environment variable MPITEST_SABOTAGE.
// Threads: one. Tested by: tests/mpi/run, which demands that every sabotage is reported.
#include <mpi.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace {

bool wanted(const char* name) {
  const char* chosen = std::getenv("MPITEST_SABOTAGE");
  return chosen && std::string(chosen) == name;
}

int size_of(MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  return size;
}

bool is_last(MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  return rank == size_of(comm) - 1;
}

void flip(void* buffer, std::ptrdiff_t offset) {
  static_cast<std::byte*>(buffer)[offset] ^= std::byte{1};
}

std::ptrdiff_t extent_of(MPI_Datatype type) {
  MPI_Aint lb, extent;
  PMPI_Type_get_extent(type, &lb, &extent);
  return extent;
}

}  // namespace

extern "C" {

/// data: one byte of the result differs. gap: a byte between the data differs. error: a code without an
/// error.
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = PMPI_Bcast(buffer, count, type, root, comm);
  if (wanted("data") && is_last(comm)) flip(buffer, 0);
  if (wanted("gap") && is_last(comm)) flip(buffer, 8);
  return wanted("error") ? MPI_ERR_OTHER : code;
}

/// end: a byte behind the result differs. start: a byte before it.
int MPI_Allgather(const void* in, int sends, MPI_Datatype send_type, void* out, int receives,
                  MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Allgather(in, sends, send_type, out, receives, type, comm);
  if (wanted("end") && is_last(comm)) flip(out, receives * size_of(comm) * extent_of(type));
  if (wanted("start") && is_last(comm)) flip(out, -1);
  return code;
}

/// send: the send buffer is written.
int MPI_Gather(const void* in, int sends, MPI_Datatype send_type, void* out, int receives, MPI_Datatype type,
               int root, MPI_Comm comm) {
  const int code = PMPI_Gather(in, sends, send_type, out, receives, type, root, comm);
  if (wanted("send") && is_last(comm)) flip(const_cast<void*>(in), 0);
  return code;
}

/// barrier: nobody waits.
int MPI_Barrier(MPI_Comm comm) {
  return wanted("barrier") ? MPI_SUCCESS : PMPI_Barrier(comm);
}

/// hang: one rank never comes back.
int MPI_Scatter(const void* in, int sends, MPI_Datatype send_type, void* out, int receives, MPI_Datatype type,
                int root, MPI_Comm comm) {
  while (wanted("hang") && is_last(comm)) pause();
  return PMPI_Scatter(in, sends, send_type, out, receives, type, root, comm);
}

/// twice: a contribution counts twice. bits: one rank rounds differently.
int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Allreduce(in, out, count, type, op, comm);
  if (wanted("twice")) PMPI_Reduce_local(in, out, count, type, op);
  if (wanted("bits") && is_last(comm)) flip(out, 0);
  return code;
}

/// order: the ranks are combined from the last to the first.
int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (!wanted("order")) return PMPI_Reduce(in, out, count, type, op, root, comm);
  int rank;
  MPI_Comm reversed;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_split(comm, 0, -rank, &reversed);
  const int code = PMPI_Reduce(in, out, count, type, op, size_of(comm) - 1 - root, reversed);
  PMPI_Comm_free(&reversed);
  return code;
}

/// restart: a second start of a persistent collective does nothing.
int MPI_Startall(int count, MPI_Request* requests) {
  return wanted("restart") ? MPI_SUCCESS : PMPI_Startall(count, requests);
}

}  // extern "C"
