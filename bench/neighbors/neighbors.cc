// SPDX-License-Identifier: BSD-3-Clause
// wan-neighbors: what a neighbourhood collective takes on process topologies of all ranks: a grid whose ranks
// have their eight neighbours, so many random ones, or all others. Each rank sends its data, or a block for
// each neighbour, and checks what comes against what the senders must have sent. Plain MPI: how messages go
// is a matter of the components that its user selects.
// Tested by bench/neighbors/neighbors_test.sh.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>

#include "bench/common/contest.h"
#include "bench/common/mpi_program.h"
#include "bench/common/random.h"
#include "bench/common/scheduling.h"

namespace wan::bench {
namespace {

struct Options {
  std::vector<std::string> patterns{"grid", "random", "all"},
      collectives{"neighbor_allgather", "neighbor_alltoall", "neighbor_alltoallv"};
  std::vector<int> sizes{8, 128, 1024};
  int random_neighbors = 6, repetitions = 15, warm_up = 3;
  std::string output{};
  Scheduling scheduling = Scheduling::normal;
};

/// Whom each rank sends to, itself not among them.
using Receivers = std::vector<std::set<int>>;

/// Rows as many as divide the ranks and are no more than the columns; periodic.
Receivers grid(int ranks) {
  int rows = 1;
  for (int n = 1; n * n <= ranks; ++n)
    if (ranks % n == 0) rows = n;
  const int columns = ranks / rows;
  Receivers receivers(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (const int down : {-1, 0, 1})
      for (const int right : {-1, 0, 1}) {
        const int row = (rank / columns + down + rows) % rows,
                  column = (rank % columns + right + columns) % columns;
        receivers[static_cast<std::size_t>(rank)].insert(row * columns + column);
      }
  return receivers;
}

Receivers random_graph(int ranks, int neighbors) {
  Receivers receivers(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int k = 0; k < neighbors; ++k) {
      const std::uint64_t number = mixed(static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(k), 7);
      receivers[static_cast<std::size_t>(rank)].insert(
          static_cast<int>(number % static_cast<std::uint64_t>(ranks)));
    }
  return receivers;
}

Receivers receivers_of(const std::string& pattern, int ranks, const Options& options) {
  Receivers receivers = pattern == "grid"
                            ? grid(ranks)
                            : random_graph(ranks, pattern == "random" ? options.random_neighbors : 0);
  for (int rank = 0; rank < ranks; ++rank) {
    std::set<int>& own = receivers[static_cast<std::size_t>(rank)];
    for (int other = 0; pattern == "all" && other < ranks; ++other) own.insert(other);
    own.erase(rank);
  }
  return receivers;
}

/// A collective on one topology with blocks of one length.
class Exchange {
 public:
  Exchange(const std::string& collective, const Receivers& receivers, int bytes)
      : collective_(collective), bytes_(bytes) {
    MPI_Comm_rank(MPI_COMM_WORLD, &me_);
    const std::set<int>& mine = receivers[static_cast<std::size_t>(me_)];
    to_.assign(mine.begin(), mine.end());
    for (int rank = 0; rank < static_cast<int>(receivers.size()); ++rank)
      if (receivers[static_cast<std::size_t>(rank)].contains(me_)) from_.push_back(rank);
    for (std::vector<int>* each : {&to_, &from_})
      each->reserve(1);  // MPI refuses null arrays, even empty ones
    send_.resize((gathers() ? 1 : to_.size()) * block() + 1);
    receive_.resize(from_.size() * block() + 1);
    counts_.assign(std::max(to_.size(), from_.size()) + 1, bytes);
    for (std::size_t i = 0; i < counts_.size(); ++i) displacements_.push_back(static_cast<int>(i) * bytes);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(from_.size()), from_.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(to_.size()), to_.data(), MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm_);
  }
  ~Exchange() { MPI_Comm_free(&comm_); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void prepare(std::int64_t round) {
    for (std::size_t i = 0; i < (gathers() ? 1 : to_.size()); ++i)
      fill(send_.data() + i * block(), round, me_, gathers() ? -1 : to_[i]);
    std::ranges::fill(receive_, static_cast<unsigned char>(0xEE));
  }
  void run() {
    if (gathers())
      MPI_Neighbor_allgather(send_.data(), bytes_, MPI_BYTE, receive_.data(), bytes_, MPI_BYTE, comm_);
    else if (collective_ == "neighbor_alltoall")
      MPI_Neighbor_alltoall(send_.data(), bytes_, MPI_BYTE, receive_.data(), bytes_, MPI_BYTE, comm_);
    else
      MPI_Neighbor_alltoallv(send_.data(), counts_.data(), displacements_.data(), MPI_BYTE, receive_.data(),
                             counts_.data(), displacements_.data(), MPI_BYTE, comm_);
  }
  bool is_right(std::int64_t round) const {
    std::vector<unsigned char> wanted(from_.size() * block() + 1, 0xEE);
    for (std::size_t i = 0; i < from_.size(); ++i)
      fill(wanted.data() + i * block(), round, from_[i], gathers() ? -1 : me_);
    return wanted == receive_;
  }

 private:
  bool gathers() const { return collective_ == "neighbor_allgather"; }
  std::size_t block() const { return static_cast<std::size_t>(bytes_); }
  /// What `from` sends to `to` (-1: to all) in a round.
  void fill(unsigned char* data, std::int64_t round, int from, int to) const {
    std::uint64_t number = mixed(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to + 1),
                                 static_cast<std::uint64_t>(round));
    for (int i = 0; i < bytes_; ++i, number = number * 6364136223846793005U + 1442695040888963407U)
      data[i] = static_cast<unsigned char>(number >> 56);
  }

  std::string collective_;
  int bytes_, me_ = 0;
  std::vector<int> to_{}, from_{}, counts_{}, displacements_{};
  std::vector<unsigned char> send_{}, receive_{};
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Rank 0 prints; true: everything was right.
bool measure(Contest& contest, const std::string& pattern, const std::string& collective, int bytes,
             const Options& options, std::FILE* file) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Exchange exchange(collective, receivers_of(pattern, ranks, options), bytes);
  Measured measured;
  for (int round = 0; round < options.warm_up + options.repetitions; ++round) {
    exchange.prepare(round);
    contest.run(
        round, round >= options.warm_up, measured, [&] { exchange.run(); },
        [&] { return exchange.is_right(round); });
  }
  const Summary summary = measured.summary();
  if (file != nullptr)
    fmt::print(file, "{},{},{},{},{:.3f},{:.3f},{:.3f},{},{}\n", pattern, collective, bytes,
               summary.repetitions, ms(summary.median_ns), ms(summary.q1_ns), ms(summary.q3_ns), summary.late,
               summary.wrong);
  return summary.wrong == 0;
}

/// The exit status of a process.
int run(const Options& options) {
  schedule(options.scheduling);
  Release release(MPI_COMM_WORLD);
  Contest contest(release);
  std::optional<RowsFile> rows;
  if (release.leads()) rows.emplace(options.output);
  if (rows)
    fmt::print(rows->get(), "pattern,collective,bytes,repetitions,median_ms,q1_ms,q3_ms,late,wrong\n");
  bool right = true;
  for (const std::string& pattern : options.patterns)
    for (const std::string& collective : options.collectives)
      for (const int bytes : options.sizes)
        right = measure(contest, pattern, collective, bytes, options, rows ? rows->get() : nullptr) && right;
  return right ? 0 : 1;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("What neighbourhood collectives take", "wan-neighbors");
  wan::bench::Options options;
  app.add_option("--patterns", options.patterns, "grid, random, all")
      ->delimiter(',')
      ->check(CLI::IsMember({"grid", "random", "all"}));
  app.add_option("--collectives", options.collectives,
                 "neighbor_allgather, neighbor_alltoall, neighbor_alltoallv")
      ->delimiter(',')
      ->check(CLI::IsMember({"neighbor_allgather", "neighbor_alltoall", "neighbor_alltoallv"}));
  app.add_option("--sizes", options.sizes, "bytes of a block")->delimiter(',')->check(CLI::Range(1, 1 << 24));
  app.add_option("--random-neighbors", options.random_neighbors, "drawn for each rank of the random graph")
      ->check(CLI::Range(0, 1'000))
      ->capture_default_str();
  wan::bench::add_rounds(app, options, "of each");
  wan::bench::add_real_time(app, options);
  return wan::bench::mpi_program(app, argc, argv, [&] { return wan::bench::run(options); });
}
