// SPDX-License-Identifier: BSD-3-Clause
// Everything in MPI that calls collectives behind the user's back: communicator constructors of every kind,
// intercommunicators, windows and files. With `--mca coll wan` alone there is nobody else to serve them.
//   mpi_constructors [DIRECTORY]     files are made in DIRECTORY, by default /tmp
// Invariant: each new communicator's rank and size equal those computed here, and it carries messages and a
// reduction whose results are computed here. Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "session.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr int kTag = 818;

/// Makes communicators and other objects, and tries each.
class Constructors {
 public:
  Constructors(Session& session, std::string directory)
      : session_(session), rank_(session.rank()), size_(session.size()), directory_(std::move(directory)) {}

  void run();

 private:
  using Maker = std::function<MPI_Comm()>;

  void communicator(const std::string& name, int rank, int size, const Maker& make);
  void try_out(MPI_Comm comm, int rank, int size);
  void check(bool holds, const std::string& what) { session_.check(holds, what); }

  void topologies();
  void directed_graph();
  void splits();
  void groups();
  void duplicates();
  void many();
  void intercommunicator();
  void merge(MPI_Comm inter, int group);
  void windows();
  void locks();
  void file();

  Session& session_;
  int rank_;
  int size_;
  std::string directory_;
};

/// The new communicator has the expected place for us and works; then it goes.
void Constructors::communicator(const std::string& name, int rank, int size, const Maker& make) {
  session_.begin(name);
  MPI_Comm comm = make();
  check((comm == MPI_COMM_NULL) == (rank < 0), "membership");
  if (comm == MPI_COMM_NULL) return;
  int got_rank, got_size;
  MPI_Comm_rank(comm, &got_rank);
  MPI_Comm_size(comm, &got_size);
  check(got_rank == rank && got_size == size,
        "rank " + std::to_string(got_rank) + " of " + std::to_string(got_size));
  try_out(comm, rank, size);
  MPI_Comm_free(&comm);
}

/// A ring of messages and a sum.
void Constructors::try_out(MPI_Comm comm, int rank, int size) {
  int from = -1, sum = 0, mine = rank * rank + 1, expected = 0;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, kTag, &from, 1, MPI_INT, (rank + size - 1) % size, kTag,
               comm, MPI_STATUS_IGNORE);
  check(from == (rank + size - 1) % size, "a message came from " + std::to_string(from));
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  for (int r = 0; r < size; ++r) expected += r * r + 1;
  check(sum == expected, "the sum is " + std::to_string(sum));
}

void Constructors::directed_graph() {
  communicator("MPI_Dist_graph_create", rank_, size_, [&] {
    const int sources[] = {rank_}, degrees[] = {1}, destinations[] = {(rank_ + 1) % size_};
    MPI_Comm comm;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &comm);
    return comm;
  });
}

void Constructors::topologies() {
  communicator("MPI_Cart_create", rank_, size_, [&] {
    const int dims[] = {size_}, periods[] = {1};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    return comm;
  });
  communicator("MPI_Cart_sub", 0, 1, [&] {
    const int dims[] = {size_, 1}, periods[] = {0, 0}, remain[] = {0, 1};
    MPI_Comm grid, row;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_free(&grid);
    return row;
  });
  communicator("MPI_Graph_create", rank_, size_, [&] {
    std::vector<int> index(static_cast<std::size_t>(size_)), edges;
    for (int r = 0; r < size_; ++r) edges.push_back((r + 1) % size_);
    std::iota(index.begin(), index.end(), 1);
    MPI_Comm comm;
    MPI_Graph_create(MPI_COMM_WORLD, size_, index.data(), edges.data(), 0, &comm);
    return comm;
  });
}

void Constructors::splits() {
  communicator("MPI_Comm_split reversed", size_ - 1 - rank_, size_, [&] {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_, &comm);
    return comm;
  });
  communicator("MPI_Comm_split undefined", rank_ == 0 ? -1 : rank_ - 1, size_ - 1, [&] {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank_ == 0 ? MPI_UNDEFINED : 1, rank_, &comm);
    return comm;
  });
  communicator("MPI_Comm_split_type", rank_, size_, [&] {  // one machine
    MPI_Comm comm;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &comm);
    return comm;
  });
}

void Constructors::groups() {
  MPI_Group all, even;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int range[1][3] = {{0, size_ - 1, 2}};
  MPI_Group_range_incl(all, 1, range, &even);
  const int place = rank_ % 2 == 0 ? rank_ / 2 : -1;
  communicator("MPI_Comm_create", place, (size_ + 1) / 2, [&] {
    MPI_Comm comm;
    MPI_Comm_create(MPI_COMM_WORLD, even, &comm);
    return comm;
  });
  communicator("MPI_Comm_create_group", place, (size_ + 1) / 2, [&] {
    MPI_Comm comm = MPI_COMM_NULL;
    if (rank_ % 2 == 0) MPI_Comm_create_group(MPI_COMM_WORLD, even, kTag, &comm);
    return comm;
  });
  MPI_Group_free(&even);
  MPI_Group_free(&all);
}

void Constructors::duplicates() {
  communicator("MPI_Comm_dup", rank_, size_, [&] {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
  });
  communicator("MPI_Comm_dup of MPI_COMM_SELF", 0, 1, [&] {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    return comm;
  });
  communicator("MPI_Comm_idup", rank_, size_, [&] {
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return comm;
  });
}

/// Communicators come and go, each used for collectives while the next is made.
void Constructors::many() {
  session_.begin("fifty communicators, one after the other");
  for (int i = 0; i < 50; ++i) {
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank_ : -rank_, &comm);
    MPI_Ibarrier(comm, &request);
    try_out(comm, i % 2 ? rank_ : size_ - 1 - rank_, size_);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
  }
}

void Constructors::intercommunicator() {
  if (size_ < 2) return;
  session_.begin("MPI_Intercomm_create");
  const int group = rank_ % 2;
  MPI_Comm local, inter, copy;
  MPI_Comm_split(MPI_COMM_WORLD, group, rank_, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - group, kTag, &inter);
  int remote;
  MPI_Comm_remote_size(inter, &remote);
  check(remote == (group ? (size_ + 1) / 2 : size_ / 2), "remote size " + std::to_string(remote));
  MPI_Comm_dup(inter, &copy);
  MPI_Barrier(copy);
  merge(copy, group);
  for (MPI_Comm* comm : {&copy, &inter, &local}) MPI_Comm_free(comm);
}

/// The even ranks come first, then the odd ones.
void Constructors::merge(MPI_Comm inter, int group) {
  communicator("MPI_Intercomm_merge", group ? (size_ + 1) / 2 + rank_ / 2 : rank_ / 2, size_, [&] {
    MPI_Comm merged;
    MPI_Intercomm_merge(inter, group, &merged);
    return merged;
  });
}

/// One process alone gets no window from Open MPI 4.1, whatever serves its collectives.
void Constructors::windows() {
  if (size_ < 2) return;
  session_.begin("MPI_Win_create and fences");
  std::vector<int> memory(static_cast<std::size_t>(size_), -1);
  MPI_Win window;
  MPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size() * sizeof(int)), sizeof(int),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  const int mine = 100 + rank_;
  for (int r = 0; r < size_; ++r) MPI_Put(&mine, 1, MPI_INT, r, rank_, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  for (int r = 0; r < size_; ++r)
    check(memory[static_cast<std::size_t>(r)] == 100 + r, "what rank " + std::to_string(r) + " put");
  MPI_Win_free(&window);
}

void Constructors::locks() {
  if (size_ < 2) return;
  session_.begin("MPI_Win_allocate and locks");
  int* memory;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const int one = 1;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_unlock(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_ == 0) check(*memory == size_, "the counter is " + std::to_string(*memory));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&window);
}

void Constructors::file() {
  session_.begin("MPI_File_open, collective writing and reading");
  const std::string path = directory_ + "/mpi_constructors.file";
  MPI_File handle;
  const int opened =
      MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                    MPI_INFO_NULL, &handle);
  check(opened == MPI_SUCCESS, "cannot open " + path);
  if (opened != MPI_SUCCESS) return;
  std::vector<int> mine(1000, rank_ + 7), theirs(1000, -1);
  const int other = (rank_ + 1) % size_;
  MPI_File_write_at_all(handle, rank_ * 4000, mine.data(), 1000, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(handle);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at_all(handle, other * 4000, theirs.data(), 1000, MPI_INT, MPI_STATUS_IGNORE);
  check(theirs == std::vector<int>(1000, other + 7), "the part of rank " + std::to_string(other));
  MPI_File_close(&handle);
}

/// The directed graph comes first: Open MPI 4.1.4 may hang when it is made after other communicators.
void Constructors::run() {
  directed_graph();
  topologies();
  splits();
  groups();
  duplicates();
  many();
  intercommunicator();
  windows();
  locks();
  file();
}

int run_all(int argc, char** argv) {
  Session session(argc, argv);
  Constructors(session, argc > 1 ? argv[1] : "/tmp").run();
  return session.finish("mpi_constructors");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
