// SPDX-License-Identifier: BSD-3-Clause
// What benchmarks that are MPI programs begin and end with.
#pragma once

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "bench/common/scheduling.h"

namespace wan::bench {

/// What says how often each is measured, and where the rows go: options.repetitions, warm_up, output.
template <class Options>
void add_rounds(CLI::App& app, Options& options, const char* of) {
  app.add_option("--repetitions", options.repetitions, of)
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--warm-up", options.warm_up, "before them")
      ->check(CLI::Range(0, 1'000))
      ->capture_default_str();
  app.add_option("--output", options.output, "file for the rows instead of standard output");
}

/// options.scheduling.
template <class Options>
void add_real_time(CLI::App& app, Options& options) {
  app.add_flag_callback(
      "--real-time", [&options] { options.scheduling = Scheduling::real_time; },
      "schedule the ranks before all else on this machine, where that is allowed");
}

/// Reads the options, then runs between MPI_Init and MPI_Finalize, with what MPI is to allow of threads.
/// Returns the exit status: 2 if an option is wrong.
template <class Run>
int mpi_program(CLI::App& app, int argc, char** argv, Run run, int threads = MPI_THREAD_SINGLE) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, threads, &provided);
  if (provided < threads) MPI_Abort(MPI_COMM_WORLD, 2);
  const int status = run();
  MPI_Finalize();
  return status;
}

/// The file that rows go to: standard output if `path` is empty. Ends the job if it cannot be written.
class RowsFile {
 public:
  explicit RowsFile(const std::string& path) : file_(path.empty() ? stdout : std::fopen(path.c_str(), "w")) {
    if (file_ != nullptr) return;
    std::perror(path.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  ~RowsFile() {
    if (file_ != stdout) std::fclose(file_);
  }
  RowsFile(const RowsFile&) = delete;
  RowsFile& operator=(const RowsFile&) = delete;
  std::FILE* get() const { return file_; }
  /// At once, so that nothing is lost when the job ends early.
  void line(const std::string& text) {
    std::fprintf(file_, "%s\n", text.c_str());
    std::fflush(file_);
  }

 private:
  std::FILE* file_;
};

}  // namespace wan::bench
