// SPDX-License-Identifier: BSD-3-Clause
// An MPI program for the lab: MPI_Iallreduce on several duplicates of MPI_COMM_WORLD at once, and how far
// what they send together runs ahead of a rate.
//   at_once DUPLICATES BYTES RATE
// Rank 0 samples the emulator's counters meanwhile. Of each directed pair of sites it keeps a leaky bucket
// that loses RATE bytes a second (the generic cell rate algorithm, as in run/pacer.h, but for the traffic
// that the emulator sees): the most that one of them ever held is by how much its sender was ahead. Prints
// "ahead_bytes N bytes M", M being what the fullest pair carried, on rank 0. Run by pacing_test.sh.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "bench/lab/counters.h"

namespace wan {
namespace {

using Clock = std::chrono::steady_clock;
using lab::CountersView;

/// What goes over one directed pair, held against a rate.
struct Flow {
  const lab::LinkCounters* link;
  std::uint64_t seen = 0, first = 0;
  double held = 0, most = 0;

  void look(double leaked) {
    const std::uint64_t now = link->tcp_payload_bytes.load(std::memory_order_relaxed);
    held = std::max(0.0, held - leaked) + static_cast<double>(now - seen);
    most = std::max(most, held);
    seen = now;
  }
};

/// Looks at all links, in a thread of its own, until it is destroyed.
class Watch {
 public:
  Watch(const CountersView& counters, double bytes_per_s) : bytes_per_s_(bytes_per_s) {
    for (std::uint32_t from = 0; from < counters.sites(); ++from)
      for (std::uint32_t to = 0; to < counters.sites(); ++to) add(counters.link(from, to));
    thread_ = std::thread([this] { run(); });
  }
  ~Watch() {
    ends_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Ends it, and prints.
  void report() {
    ends_ = true;
    thread_.join();

    double most = 0;
    std::uint64_t bytes = 0;
    for (const Flow& flow : flows_) {
      most = std::max(most, flow.most);
      bytes = std::max(bytes, flow.seen - flow.first);
    }
    std::printf("ahead_bytes %.0f bytes %llu\n", most, static_cast<unsigned long long>(bytes));
  }

 private:
  void add(const lab::LinkCounters& link) {
    const std::uint64_t now = link.tcp_payload_bytes.load();
    flows_.push_back({&link, now, now});
  }
  void run() {
    Clock::time_point before = Clock::now();
    while (!ends_) {
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      const Clock::time_point now = Clock::now();
      for (Flow& flow : flows_) flow.look(bytes_per_s_ * std::chrono::duration<double>(now - before).count());
      before = now;
    }
  }

  double bytes_per_s_;
  std::vector<Flow> flows_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

/// One call under way on a communicator of its own.
class Allreduce {
 public:
  explicit Allreduce(std::size_t bytes) : mine_(bytes / sizeof(int), 1), sum_(mine_.size()) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  }
  ~Allreduce() { MPI_Comm_free(&comm_); }
  Allreduce(const Allreduce&) = delete;
  Allreduce& operator=(const Allreduce&) = delete;

  void start() {
    MPI_Iallreduce(mine_.data(), sum_.data(), static_cast<int>(mine_.size()), MPI_INT, MPI_SUM, comm_,
                   &request_);
  }
  bool ends_well() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    int size;
    MPI_Comm_size(comm_, &size);
    return std::ranges::all_of(sum_, [&](int sum) { return sum == size; });
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::vector<int> mine_, sum_;
};

/// Starts all, then awaits all. Are the results right?
bool run_together(std::vector<std::unique_ptr<Allreduce>>& calls) {
  for (auto& call : calls) call->start();
  bool all_right = true;
  for (auto& call : calls) all_right &= call->ends_well();
  return all_right;
}

int run(int duplicates, std::size_t bytes, double bytes_per_s, const CountersView& counters) {
  std::vector<std::unique_ptr<Allreduce>> calls;
  for (int i = 0; i < duplicates; ++i) calls.push_back(std::make_unique<Allreduce>(bytes));
  bool is_right = run_together(calls);  // opens connections
  std::this_thread::sleep_for(std::chrono::seconds(1));
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::unique_ptr<Watch> watch;
  if (rank == 0) watch = std::make_unique<Watch>(counters, bytes_per_s);
  MPI_Barrier(MPI_COMM_WORLD);
  is_right &= run_together(calls);
  MPI_Barrier(MPI_COMM_WORLD);
  if (watch) watch->report();
  if (!is_right) std::printf("a wrong result\n");
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace wan

int main(int argc, char** argv) {
  const wan::lab::CountersView counters(std::getenv("WAN_LAB_COUNTERS"));
  if (argc != 4 || !counters.valid()) {
    std::fprintf(stderr, "at_once: run as `wan-lab run ... -- mpirun ... at_once DUPLICATES BYTES RATE`\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  const int status =
      wan::run(std::atoi(argv[1]), std::strtoul(argv[2], nullptr, 10), std::atof(argv[3]), counters);
  MPI_Finalize();
  return status;
}
