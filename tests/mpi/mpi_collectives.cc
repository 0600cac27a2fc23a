// SPDX-License-Identifier: BSD-3-Clause
// Every collective in every form over datatypes, operators, roots, counts and communicators, checked on every
// rank against values that each process computes from a formula.
//   mpi_collectives [--AXIS VALUE[,VALUE]]... [--seed N] [--max-cases N] [--list] [--stock]
// --stock leaves out what stock Open MPI is known to get wrong (stock_defects.h).
// A failure prints the options that repeat it; exit status 0 only if every rank found every byte right.
// Invariant: every process runs the same cases in the same order. Threads: one.
// Tested by: stock Open MPI (must pass), the negative controls of tests/mpi/run (must fail).
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "call.h"
#include "case.h"
#include "clock.h"
#include "communicators.h"
#include "perform.h"
#include "session.h"
#include "stock_defects.h"
#include "value.h"

namespace mpitest {
namespace {

constexpr int kTag = 815;

struct Options {
  Filter filter;
  std::uint64_t seed = 1;
  std::size_t max_cases = 4000;
  bool list = false;
  bool stock = false;
};

[[noreturn]] void usage(const std::string& error) {
  std::fprintf(stderr, "mpi_collectives: %s\n", error.c_str());
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    std::fprintf(stderr, "  --%s", axis_names()[axis].c_str());
    for (const std::string& value : value_names(static_cast<Axis>(axis)))
      std::fprintf(stderr, " %s", value.c_str());
    std::fprintf(stderr, "\n");
  }
  std::exit(2);
}

void take_option(Options& options, const std::string& name, const std::string& value) {
  if (name == "seed") {
    options.seed = std::stoull(value);
  } else if (name == "max-cases") {
    options.max_cases = std::stoull(value);
  } else if (const std::string error = add_filter(options.filter, name, value); !error.empty()) {
    usage(error);
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--list") {
      options.list = true;
    } else if (argument == "--stock") {
      options.stock = true;
    } else if (argument.starts_with("--") && i + 1 < argc) {
      take_option(options, argument.substr(2), argv[++i]);
    } else {
      usage("cannot read " + argument);
    }
  }
  return options;
}

/// Runs the cases of one process.
class Runner {
 public:
  Runner(Session& session, const Options& options, const std::string& site)
      : session_(session), seed_(options.seed), communicators_(session, site), shapes_(make_shapes()) {
    for (const OperatorRecipe& recipe : operator_recipes())
      operators_.push_back(std::make_unique<Operator>(recipe));
  }

  void run(const Case& c) {
    session_.begin(c.name() + " --seed " + std::to_string(seed_));
    const Communicator& comm = communicators_[c.value[kCommunicator]];
    if (comm.comm == MPI_COMM_NULL) return;
    const std::size_t op = c.value[kOperator];
    const Place place{comm.rank, comm.size, root_rank(c.root(), comm.size)};
    Call call({c.collective(), c.form(), comm.comm, place.root}, exchange_of(c, place, shapes_, seed_of(c)),
              op == 0 ? nullptr : operators_[op - 1].get());
    if (c.collective() == Collective::barrier) return run_barrier(comm, call, c);
    Around around;
    if (c.collective() == Collective::allreduce) around.after = [&] { check_identical(comm, call.digest()); };
    perform(session_.complaint(), call, c.form(), seed_of(c), around);
  }

 private:
  /// The seed of a case: equal on every rank, whatever other cases run.
  std::uint64_t seed_of(const Case& c) const {
    std::uint64_t h = seed_;
    for (std::size_t value : c.value) h = hash_of(h, value);
    return h;
  }

  void run_barrier(const Communicator& comm, Call& call, const Case& c) {
    std::int64_t entered_ns = 0;
    const auto enter = [&] {
      usleep(static_cast<useconds_t>(hash_of(seed_of(c), comm.rank) % 3000));
      entered_ns = now_ns();
    };
    perform(session_.complaint(), call, c.form(), seed_of(c),
            {enter, [&] { check_barrier(comm, entered_ns, now_ns()); }});
  }

  /// Nobody may leave a barrier before everybody has entered it.
  void check_barrier(const Communicator& comm, std::int64_t entered_ns, std::int64_t left_ns) {
    std::int64_t mine[2] = {entered_ns, left_ns};
    if (comm.rank != 0) {
      MPI_Send(mine, 2, MPI_INT64_T, 0, kTag, comm.comm);
      return;
    }
    for (int r = 1; r < comm.size; ++r) {
      std::int64_t theirs[2];
      MPI_Recv(theirs, 2, MPI_INT64_T, r, kTag, comm.comm, MPI_STATUS_IGNORE);
      mine[0] = std::max(mine[0], theirs[0]);
      mine[1] = std::min(mine[1], theirs[1]);
    }
    session_.check(mine[0] <= mine[1], "a rank left the barrier " + std::to_string(mine[0] - mine[1]) +
                                           " ns before the last one entered");
  }

  /// All ranks must hold the same bits, sums that round included.
  void check_identical(const Communicator& comm, std::uint64_t digest) {
    if (comm.rank != 0) {
      MPI_Send(&digest, 1, MPI_UINT64_T, 0, kTag, comm.comm);
      return;
    }
    for (int r = 1; r < comm.size; ++r) {
      std::uint64_t theirs;
      MPI_Recv(&theirs, 1, MPI_UINT64_T, r, kTag, comm.comm, MPI_STATUS_IGNORE);
      session_.check(theirs == digest, "ranks 0 and " + std::to_string(r) + " hold different bits");
    }
  }

  Session& session_;
  std::uint64_t seed_;
  Communicators communicators_;
  ShapeSet shapes_;
  std::vector<std::unique_ptr<Operator>> operators_;
};

std::string site_label() {
  const char* label = std::getenv("OMPI_MCA_coll_wan_site");
  return label ? label : "everywhere";
}

std::vector<Case> chosen_cases(const Options& options, int world_size) {
  std::vector<Case> cases = all_cases(options.filter);
  if (options.stock) std::erase_if(cases, [&](const Case& c) { return stock_fails(c, world_size); });
  return sample(std::move(cases), options.max_cases, options.seed);
}

int list(const Options& options) {
  for (const Case& c : chosen_cases(options, 0)) std::printf("%s\n", c.name().c_str());
  return EXIT_SUCCESS;
}

int run_all(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.list) return list(options);
  Session session(argc, argv);
  const std::vector<Case> cases = chosen_cases(options, session.size());
  {
    Runner runner(session, options, site_label());
    for (const Case& c : cases) runner.run(c);
  }
  return session.finish("mpi_collectives");
}

}  // namespace
}  // namespace mpitest

int main(int argc, char** argv) {
  return mpitest::run_all(argc, argv);
}
