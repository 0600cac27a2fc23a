// SPDX-License-Identifier: BSD-3-Clause
// MPI_THREAD_MULTIPLE: four threads of each process, each on its own communicator, run collectives of every
// form at once.
//   mpi_threads [--seed N] [--rounds N]
// Invariant: a communicator belongs to one thread, so the order of its collectives is the same on all
// processes. Threads: four, and the main one, which waits. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "call.h"
#include "case.h"
#include "options.h"
#include "perform.h"
#include "session.h"
#include "stock_defects.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr int kThreads = 4;

/// What all threads share, unchanged while they run.
struct Shared {
  Session& session;
  ShapeSet shapes;
  std::vector<std::unique_ptr<Operator>> operators;
  std::vector<Case> cases;
};

/// The communicator of one thread: reversed for every other thread.
MPI_Comm own_communicator(const Session& session, int thread) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, thread % 2 ? -session.rank() : session.rank(), &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

/// One case on one thread.
void run_case(Shared& shared, const Case& c, MPI_Comm comm, std::uint64_t seed) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const Place place{rank, size, root_rank(c.root(), size)};
  const std::size_t op = c.value[kOperator];
  Call call({c.collective(), c.form(), comm, place.root}, exchange_of(c, place, shared.shapes, seed),
            op == 0 ? nullptr : shared.operators[op - 1].get());
  const auto complain = [&](const std::string& what) {
    shared.session.fail(c.name() + " on a thread", what);
  };
  perform(complain, call, c.form(), seed);
}

void run_thread(Shared& shared, MPI_Comm comm, int thread, std::uint64_t seed, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t h = hash_of(seed, thread, round);
    run_case(shared, shared.cases[h % shared.cases.size()], comm, h);
  }
}

void run_threads(Shared& shared, std::uint64_t seed, int rounds) {
  std::vector<MPI_Comm> communicators;
  for (int t = 0; t < kThreads; ++t) communicators.push_back(own_communicator(shared.session, t));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back(run_thread, std::ref(shared), communicators[static_cast<std::size_t>(t)], t, seed,
                         rounds);
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : communicators) MPI_Comm_free(&comm);
}

/// Cases on the thread's communicator; large ones would only take time.
std::vector<Case> cases(int world_size) {
  Filter filter;
  add_filter(filter, "communicator", "world");
  add_filter(filter, "count", "zero,one,seven,thousand,uneven");
  std::vector<Case> all = all_cases(filter);
  std::erase_if(all, [&](const Case& c) { return stock_fails(c, world_size); });
  return all;
}

int run_all(int argc, char** argv) {
  const std::uint64_t seed = option(argc, argv, "--seed", 1);
  const auto rounds = static_cast<int>(option(argc, argv, "--rounds", 150));
  Session session(argc, argv, MPI_THREAD_MULTIPLE);
  {
    Shared shared{session, make_shapes(), {}, cases(session.size())};
    for (const OperatorRecipe& recipe : operator_recipes())
      shared.operators.push_back(std::make_unique<Operator>(recipe));
    session.stage(std::to_string(kThreads) + " threads, seed " + std::to_string(seed));
    run_threads(shared, seed, rounds);
    session.add_cases(static_cast<long>(kThreads) * rounds);
  }
  return session.finish("mpi_threads");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
