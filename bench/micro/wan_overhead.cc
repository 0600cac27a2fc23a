// SPDX-License-Identifier: BSD-3-Clause
// wan-overhead: what a repeated small collective costs beyond its messages. Two ranks, each a site of its own
// by its label, on one host: every collective is one message each way, or one message. The call and the same
// messages posted by hand (MPI_Irecv, MPI_Isend, MPI_Waitall, and the reduction) are timed in turn, in
// batches; what is reported is the time of one call of each, the median over the batches, and the median of
// their differences. A plain MPI program: bench/micro/README.md says how to run it.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int kCalls = 200;  ///< in a batch
constexpr int kWarmUp = 20;  ///< batches
constexpr int kDoubles = 1;  ///< of an allreduce
constexpr int kTag = 1;

int me() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// One message to the other rank and one from it, of `bytes`.
void exchange(const void* sent, void* received, int bytes, int peer) {
  MPI_Request requests[2];
  MPI_Irecv(received, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sent, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/// A broadcast from each rank in turn: a message there and one back.
void broadcast_by_hand(char* data, int bytes, int root) {
  MPI_Request request;
  if (root == me())
    MPI_Isend(data, bytes, MPI_BYTE, 1 - root, kTag, MPI_COMM_WORLD, &request);
  else
    MPI_Irecv(data, bytes, MPI_BYTE, root, kTag, MPI_COMM_WORLD, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
}

struct Contest {
  std::string name;
  std::function<void()> collective, by_hand;
  int calls = 1;  ///< collectives in one turn of either
};

std::vector<Contest> contests() {
  static char data[1024];
  static double own[kDoubles] = {1}, others[kDoubles], result[kDoubles];
  std::vector<Contest> all;
  for (const int bytes : {8, 1024})
    all.push_back({"bcast of " + std::to_string(bytes) + " bytes",
                   [bytes] {
                     for (int root : {0, 1}) MPI_Bcast(data, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
                   },
                   [bytes] {
                     for (int root : {0, 1}) broadcast_by_hand(data, bytes, root);
                   },
                   2});
  all.push_back(
      {"barrier", [] { MPI_Barrier(MPI_COMM_WORLD); }, [] { exchange(nullptr, nullptr, 0, 1 - me()); }});
  all.push_back({"allreduce of a double",
                 [] { MPI_Allreduce(own, result, kDoubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); },
                 [] {
                   exchange(own, others, sizeof own, 1 - me());
                   std::copy_n(own, kDoubles, result);
                   MPI_Reduce_local(others, result, kDoubles, MPI_DOUBLE, MPI_SUM);
                 }});
  return all;
}

/// Microseconds for each of the calls.
double time_of(const std::function<void()>& run, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) run();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
         kCalls / calls;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

void hold(const Contest& contest, int batches) {
  std::vector<double> collective, by_hand, difference;
  for (int batch = 0; batch < kWarmUp + batches; ++batch) {
    const double one = time_of(contest.collective, contest.calls),
                 other = time_of(contest.by_hand, contest.calls);
    if (batch < kWarmUp) continue;
    collective.push_back(one);
    by_hand.push_back(other);
    difference.push_back(one - other);
  }
  if (me() == 0)
    std::printf("%-24s %8.3f us %8.3f us by hand %8.3f us more\n", contest.name.c_str(), median(collective),
                median(by_hand), median(difference));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int batches = argc > 1 ? std::atoi(argv[1]) : 1000;
  if (size != 2 || batches < 1) {
    if (me() == 0) std::fprintf(stderr, "usage: mpirun -n 2 ... wan-overhead [BATCHES]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (const Contest& contest : contests()) hold(contest, batches);
  MPI_Finalize();
  return 0;
}
