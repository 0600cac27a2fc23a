// SPDX-License-Identifier: BSD-3-Clause
// A test program's life: MPI, the failures it counts, the alarm that ends a deadlock with the name of the
// case. Invariants: a process whose case lasts longer than the limit ends the job with a line that names the
// case; the exit status is non-zero on every process if any process failed. Threads: fail() may be called
// from any thread, the rest from the main one. Tested by: the negative controls of tests/mpi/run (a hang, a
// wrong byte).
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

namespace mpitest {

/// One per program; made first, finished last.
class Session {
 public:
  /// Starts MPI with at least `thread_level`.
  Session(int& argc, char**& argv, int thread_level = MPI_THREAD_SINGLE);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Seconds that one case may last; from the environment variable MPITEST_TIMEOUT_S, else 60. Starting
  /// MPI may take longer.
  int limit_s() const { return limit_s_; }

  /// Names the case that runs from now on, counts it and sets the alarm.
  void begin(const std::string& name);

  /// Counts further cases, which other threads have run.
  void add_cases(long more) { cases_ += more; }

  /// The same as begin() for a step that is no case.
  void stage(const std::string& name);

  /// Counts a failure of the current case and prints it.
  void fail(const std::string& what);

  /// Counts a failure of a case named by the caller and prints it.
  void fail(const std::string& name, const std::string& what);

  /// Of this process.
  long failures() const { return failures_; }

  /// fail() for the current case, as a function.
  auto complaint() {
    return [this](const std::string& what) { fail(what); };
  }

  /// fail(what) unless it holds.
  void check(bool holds, const std::string& what) {
    if (!holds) fail(what);
  }

  /// Adds up the failures of all processes with point-to-point messages, prints the summary, ends MPI. With
  /// the environment variable MPITEST_COUNT rank 0 also prints "ran CASES COLLECTIVE" for each collective.
  /// Returns the exit status.
  int finish(const char* program);

 private:
  long total_failures();
  void print_counts() const;

  int rank_ = 0;
  int size_ = 0;
  int limit_s_ = 60;
  long cases_ = 0;
  std::map<std::string, long> cases_of_;  ///< by collective
  std::atomic<long> failures_ = 0;
  std::string current_;
};

}  // namespace mpitest
