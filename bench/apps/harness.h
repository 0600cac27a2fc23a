// SPDX-License-Identifier: BSD-3-Clause
// How an application is run: a problem, solved several times. All ranks are released at one instant; a
// repetition takes from there to the last rank's return. Each rank then checks its part of the result without
// MPI's collectives. Rank 0 writes the rows of CSV (result.h). Plain MPI: it runs on any Open MPI, with
// whatever collective components its user selects.
#pragma once

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/types.h"
#include "bench/common/mpi_program.h"

namespace wan::bench {

/// One problem on all ranks of MPI_COMM_WORLD.
class App {
 public:
  virtual ~App() = default;
  /// Makes the input of a round: another one each time, so that a result left over from before is wrong. Not
  /// timed.
  virtual void prepare(std::int64_t round) = 0;
  /// Solves it.
  virtual void run() = 0;
  /// What is wrong with the result, as far as this rank knows. Not timed; may send messages, but calls no
  /// collective.
  virtual std::optional<std::string> mistake() = 0;
  /// The problem in a word, without commas: "1000 rows".
  virtual std::string problem() const = 0;
};

struct RunOptions {
  int repetitions = 3;
  int warm_up = 1;
  std::string output;  ///< file of the rows; empty: standard output
};
void define(CLI::App& cli, RunOptions& options);

/// Runs the application. Returns the exit status: 1 if a result was wrong.
int run_app(const std::string& name, App& app, const RunOptions& options);

/// The whole main function of an application A, which has a struct Problem and a function define for its
/// options.
template <class A>
int app_main(int argc, char** argv, const char* name, const char* what) {
  CLI::App cli(what, name);
  typename A::Problem problem;
  RunOptions options;
  A::define(cli, problem);
  define(cli, options);
  return mpi_program(cli, argc, argv, [&] {
    A app(problem);
    return run_app(name, app, options);
  });
}

/// This process's rank in MPI_COMM_WORLD, and the number of them.
Rank my_rank();
Rank number_of_ranks();

}  // namespace wan::bench
