// SPDX-License-Identifier: BSD-3-Clause
// Communicators that are made, used or not, and freed at once, whatever their making has set going in the
// background: one after the other, many at a time, by several threads, and some left to MPI_Finalize.
//   mpi_contact [--rounds N] [--under-way 1]
// --under-way 1 also frees communicators with collectives under way, which MPI allows and stock Open MPI does
// not survive. Invariant: communicators that were freed are gone a little later (their handles are used
// again). Threads: four make communicators at once, each from one of its own. Tested by: stock Open MPI (must
// pass).
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "options.h"
#include "session.h"

namespace mpitest {
namespace {

constexpr int kThreads = 4;
constexpr int kAtOnce = 12;

/// A communicator of some of the ranks of `parent` (all, or every second), in turning order: its first rank
/// of a site is often not that of `parent`.
MPI_Comm turned(MPI_Comm parent, int turn) {
  int rank, size;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &size);
  MPI_Comm comm;
  MPI_Comm_split(parent, turn % 3 == 2 ? rank % 2 : 0, (rank + turn) % size, &comm);
  return comm;
}

/// The ranks of `comm` can be added up.
bool works(MPI_Comm comm) {
  int rank, size, sum = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum == size * (size - 1) / 2;
}

/// Every second communicator is freed without ever having been used.
void come_and_go(MPI_Comm parent, int rounds, const std::function<void(const std::string&)>& complain) {
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm = turned(parent, round);
    if (round % 2 && !works(comm)) complain("a wrong sum in round " + std::to_string(round));
    MPI_Comm_free(&comm);
  }
}

void one_after_the_other(Session& session, int rounds) {
  session.begin("communicators, one after the other");
  come_and_go(MPI_COMM_WORLD, rounds, session.complaint());
}

/// A handle's number is the lowest that is free: it would grow with communicators that never go.
void handles_come_back(Session& session, int rounds) {
  session.begin("freed communicators go");
  come_and_go(MPI_COMM_WORLD, rounds, session.complaint());
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Barrier(comm);
  const int handle = MPI_Comm_c2f(comm);
  session.check(handle < 20 + rounds / 4, "the next handle is number " + std::to_string(handle));
  MPI_Comm_free(&comm);
}

void many_at_once(Session& session) {
  session.begin("communicators, many at once");
  std::vector<MPI_Comm> all;
  for (int i = 0; i < kAtOnce; ++i) all.push_back(turned(MPI_COMM_WORLD, i));
  session.check(std::ranges::all_of(all, works), "a wrong sum");
  for (MPI_Comm& comm : all) MPI_Comm_free(&comm);
}

/// Nonblocking duplicates of communicators whose coordinators differ, waited for together. The parents go
/// first.
void duplicates(Session& session) {
  session.begin("nonblocking duplicates");
  std::vector<MPI_Comm> parents, copies(kAtOnce, MPI_COMM_NULL);
  std::vector<MPI_Request> requests(kAtOnce, MPI_REQUEST_NULL);
  for (int i = 0; i < kAtOnce; ++i) parents.push_back(turned(MPI_COMM_WORLD, i));
  for (std::size_t i = 0; i < kAtOnce; ++i) MPI_Comm_idup(parents[i], &copies[i], &requests[i]);
  MPI_Waitall(kAtOnce, requests.data(), MPI_STATUSES_IGNORE);
  for (MPI_Comm& comm : parents) MPI_Comm_free(&comm);
  session.check(works(copies[1]) && works(copies[2]), "a wrong sum");
  for (MPI_Comm& comm : copies) MPI_Comm_free(&comm);
}

void in_threads(Session& session, int rounds) {
  session.begin("communicators of several threads");
  std::vector<MPI_Comm> parents;
  for (int t = 0; t < kThreads; ++t) parents.push_back(turned(MPI_COMM_WORLD, t));
  std::vector<std::thread> threads;
  for (const MPI_Comm parent : parents)
    threads.emplace_back([&session, parent, rounds] { come_and_go(parent, rounds, session.complaint()); });
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : parents) MPI_Comm_free(&comm);
}

/// Broadcasts, which are passed on once they have come, and exchanges in two stages, on communicators that
/// are freed at once.
void freed_under_way(Session& session, int rounds) {
  session.begin("collectives on freed communicators");
  const auto ranks = static_cast<std::size_t>(session.size());
  const std::vector<int> ones(ranks, 1), mine(ranks, session.rank());
  std::vector<int> places(ranks), theirs(ranks);
  std::iota(places.begin(), places.end(), 0);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int root_says = session.rank() == 0 ? round : -1;
    MPI_Request requests[2];
    MPI_Ibcast(&root_says, 1, MPI_INT, 0, comm, &requests[0]);
    MPI_Ialltoallv(mine.data(), ones.data(), places.data(), MPI_INT, theirs.data(), ones.data(),
                   places.data(), MPI_INT, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    session.check(root_says == round && theirs == places, "wrong data");
  }
}

/// Freed or forgotten right before the end.
void leave_some(Session& session) {
  session.begin("communicators at the end");
  for (int i = 0; i < 4; ++i) {
    MPI_Comm comm = turned(MPI_COMM_WORLD, i + 1);
    if (i % 2) MPI_Comm_free(&comm);
  }
}

int run_all(int argc, char** argv) {
  const auto rounds = static_cast<int>(option(argc, argv, "--rounds", 100));
  Session session(argc, argv, MPI_THREAD_MULTIPLE);
  one_after_the_other(session, rounds);
  handles_come_back(session, rounds);
  many_at_once(session);
  duplicates(session);
  in_threads(session, rounds / kThreads);
  if (option(argc, argv, "--under-way", 0) == 1) freed_under_way(session, rounds);
  leave_some(session);
  return session.finish("mpi_contact");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
