// SPDX-License-Identifier: BSD-3-Clause
// Many nonblocking and persistent collectives under way at once, on one communicator and on several,
// completed in any order by MPI_Waitany, MPI_Testsome and MPI_Waitall, with computation and point-to-point
// messages between.
//   mpi_overlap [--seed N] [--rounds N]
// Invariant: all processes issue and start the collectives of a communicator in the same order (MPI demands
// it); they complete them in any. Threads: one. Tested by: stock Open MPI (must pass).
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "call.h"
#include "case.h"
#include "communicators.h"
#include "options.h"
#include "session.h"
#include "stock_defects.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr std::size_t kAtOnce = 24;
constexpr int kTag = 817;

/// How outstanding requests are completed.
enum class Completion { kWaitany, kTestsome, kWaitall, kWaitBackwards };

/// A collective under way.
struct Outstanding {
  std::string name;
  std::unique_ptr<Call> call;
};

/// Runs rounds of simultaneous collectives.
class Overlap {
 public:
  Overlap(Session& session, std::uint64_t seed)
      : session_(session), seed_(seed), communicators_(session, "everywhere"), shapes_(make_shapes()) {
    for (const OperatorRecipe& recipe : operator_recipes())
      operators_.push_back(std::make_unique<Operator>(recipe));
    for (const Case& c : all_cases({})) keep(c);
  }

  void round(int number) {
    const auto completion = static_cast<Completion>(number % 4);
    const bool persistent = number % 3 == 2;
    session_.begin((persistent ? "persistent" : "nonblocking") + std::string(" round ") +
                   std::to_string(number));
    const std::vector<Case> cases = pick(persistent ? persistent_ : nonblocking_, number);
    launch(cases, number);
    if (persistent) start(number);
    exchange_messages();
    complete(completion);
    for (Outstanding& o : outstanding_)
      if (const std::string wrong = o.call->verify(); !wrong.empty()) session_.fail(o.name, wrong);
    if (persistent) free_all();
  }

 private:
  /// Sorts a case into the pools.
  void keep(const Case& c) {
    if (c.collective() == Collective::reduce_local || c.form() == Form::kBlocking) return;
    if (stock_fails(c, session_.size()) || c.amount() == Amount::kUnevenLarge) return;
    (c.form() == Form::kPersistent ? persistent_ : nonblocking_).push_back(c);
  }

  std::vector<Case> pick(const std::vector<Case>& pool, int number) const {
    std::vector<Case> cases;
    for (std::size_t i = 0; i < kAtOnce; ++i) cases.push_back(pool[hash_of(seed_, number, i) % pool.size()]);
    return cases;
  }

  void launch(const std::vector<Case>& cases, int number) {
    outstanding_.clear();
    requests_.clear();
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Case& c = cases[i];
      const Communicator& comm = communicators_[c.value[kCommunicator]];
      if (comm.comm != MPI_COMM_NULL) launch_one(c, comm, hash_of(seed_, number, i));
    }
  }

  void launch_one(const Case& c, const Communicator& comm, std::uint64_t salt) {
    const Place place{comm.rank, comm.size, root_rank(c.root(), comm.size)};
    const std::size_t op = c.value[kOperator];
    outstanding_.push_back({c.name() + " among " + std::to_string(kAtOnce),
                            std::make_unique<Call>(Target{c.collective(), c.form(), comm.comm, place.root},
                                                   exchange_of(c, place, shapes_, salt),
                                                   op == 0 ? nullptr : operators_[op - 1].get())});
    outstanding_.back().call->fill(salt);
    requests_.push_back(MPI_REQUEST_NULL);
    session_.check(outstanding_.back().call->issue(&requests_.back()) == MPI_SUCCESS,
                   c.name() + " was refused");
  }

  /// All together, or half of them together and the rest one by one.
  void start(int number) {
    const auto half = static_cast<int>(requests_.size() / 2);
    if (number % 2) {
      MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
    } else {
      MPI_Startall(half, requests_.data());
      for (std::size_t i = static_cast<std::size_t>(half); i < requests_.size(); ++i)
        MPI_Start(&requests_[i]);
    }
  }

  /// Messages of the application on the same communicator must not meet those of the collectives.
  void exchange_messages() {
    const int next = (session_.rank() + 1) % session_.size();
    const int previous = (session_.rank() + session_.size() - 1) % session_.size();
    int mine = session_.rank(), theirs = -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, next, kTag, &theirs, 1, MPI_INT, previous, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    session_.check(theirs == previous, "a message of the application went astray");
  }

  void complete(Completion how) {
    const int count = static_cast<int>(requests_.size());
    std::vector<int> done(requests_.size());
    int finished = 0, which = 0;
    if (how == Completion::kWaitall) MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
    if (how == Completion::kWaitBackwards)
      for (std::size_t i = requests_.size(); i-- > 0;) MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
    while (how == Completion::kWaitany && which != MPI_UNDEFINED)
      MPI_Waitany(count, requests_.data(), &which, MPI_STATUS_IGNORE);
    while (how == Completion::kTestsome && finished != MPI_UNDEFINED)
      MPI_Testsome(count, requests_.data(), &finished, done.data(), MPI_STATUSES_IGNORE);
  }

  void free_all() {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }

  Session& session_;
  std::uint64_t seed_;
  Communicators communicators_;
  ShapeSet shapes_;
  std::vector<std::unique_ptr<Operator>> operators_;
  std::vector<Case> nonblocking_, persistent_;
  std::vector<Outstanding> outstanding_;
  std::vector<MPI_Request> requests_;
};

int run_all(int argc, char** argv) {
  const std::uint64_t seed = option(argc, argv, "--seed", 1);
  const auto rounds = static_cast<int>(option(argc, argv, "--rounds", 48));
  Session session(argc, argv);
  {
    Overlap overlap(session, seed);
    for (int number = 0; number < rounds; ++number) overlap.round(number);
  }
  return session.finish("mpi_overlap");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
