// SPDX-License-Identifier: BSD-3-Clause
// A test program's life. Threads: see session.h. Tested by: the negative controls of tests/mpi/run.
#include "session.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mpitest {
namespace {

constexpr int kTag = 4711;
constexpr int kStartLimit_s = 120;  // a busy machine starts many processes slowly

/// What the alarm prints: prepared before, since a signal handler may only write.
char alarm_text[1024];

extern "C" void end_deadlock(int) {
  [[maybe_unused]] const auto written = write(STDOUT_FILENO, alarm_text, std::strlen(alarm_text));
  _exit(97);
}

int limit_from_environment() {
  const char* text = std::getenv("MPITEST_TIMEOUT_S");
  const int limit_s = text ? std::atoi(text) : 0;
  return limit_s > 0 ? limit_s : 60;
}

/// The collective that a case's name begins with.
std::string collective_of(const std::string& name) {
  const std::string option = "--collective ";
  const std::size_t begin = name.starts_with(option) ? option.size() : 0;
  return name.substr(begin, name.find(' ', begin) - begin);
}

}  // namespace

Session::Session(int& argc, char**& argv, int thread_level) : limit_s_(limit_from_environment()) {
  std::signal(SIGALRM, end_deadlock);
  std::snprintf(alarm_text, sizeof alarm_text, "TIMEOUT in MPI_Init_thread\n");
  alarm(static_cast<unsigned>(std::max(limit_s_, kStartLimit_s)));
  int provided;
  MPI_Init_thread(&argc, &argv, thread_level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  stage("start");
  check(provided >= thread_level, "thread level " + std::to_string(provided));
}

void Session::begin(const std::string& name) {
  ++cases_;
  ++cases_of_[collective_of(name)];
  stage(name);
}

void Session::stage(const std::string& name) {
  current_ = name;
  std::snprintf(alarm_text, sizeof alarm_text, "TIMEOUT rank %d of %d after %d s: %s\n", rank_, size_,
                limit_s_, name.c_str());
  alarm(static_cast<unsigned>(limit_s_));
}

void Session::fail(const std::string& what) {
  fail(current_, what);
}

void Session::fail(const std::string& name, const std::string& what) {
  constexpr long kPrinted = 20;
  if (++failures_ > kPrinted) return;
  std::printf("FAIL rank %d of %d: %s: %s\n", rank_, size_, name.c_str(), what.c_str());
  std::fflush(stdout);
}

long Session::total_failures() {
  long total = failures_;
  for (int r = 1; r < size_ && rank_ == 0; ++r) {
    long theirs = 0;
    MPI_Recv(&theirs, 1, MPI_LONG, r, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    total += theirs;
  }
  for (int r = 1; r < size_ && rank_ == 0; ++r) MPI_Send(&total, 1, MPI_LONG, r, kTag, MPI_COMM_WORLD);
  if (rank_ == 0) return total;
  MPI_Send(&total, 1, MPI_LONG, 0, kTag, MPI_COMM_WORLD);
  MPI_Recv(&total, 1, MPI_LONG, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return total;
}

void Session::print_counts() const {
  for (const auto& [collective, cases] : cases_of_) std::printf("ran %ld %s\n", cases, collective.c_str());
}

int Session::finish(const char* program) {
  stage("finish");
  const long failures = total_failures();
  if (rank_ == 0 && std::getenv("MPITEST_COUNT") != nullptr) print_counts();
  if (rank_ == 0) std::printf("%s: %ld cases on %d ranks, %ld failures\n", program, cases_, size_, failures);
  std::fflush(stdout);
  MPI_Finalize();
  alarm(0);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace mpitest
