// SPDX-License-Identifier: BSD-3-Clause
// wan-taskgraph: a Cholesky or QR factorization as a task graph on all ranks, with three ways for results
// from process to process by turns. Each round has another matrix, equal for all ways; rank 0 compares the
// result with LAPACK's. Tested by bench/taskgraph/taskgraph_test.sh.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bench/common/contest.h"
#include "bench/common/mpi_program.h"
#include "bench/common/scheduling.h"
#include "bench/common/world.h"
#include "bench/taskgraph/mpi_transports.h"
#include "bench/taskgraph/runtime.h"
#include "bench/taskgraph/tiles.h"

namespace wan::bench {
namespace {

struct Options {
  std::string app = "cholesky", grid{};
  std::vector<std::string> ways = Ways::names();
  int size = 1'024, tile = 128, threads = 1, repetitions = 3, warm_up = 1;
  std::string topology{}, output{}, trace{};
};

/// "4x2"; empty: as square as can be. nullopt: not a grid of so many processes.
std::optional<Grid> grid_of(const std::string& text, int processes) {
  Grid grid{0, 0};
  char rest = 0;
  if (text.empty()) {
    std::array<int, 2> extents{};
    MPI_Dims_create(processes, 2, extents.data());
    return Grid{extents[1], extents[0]};
  }
  if (std::sscanf(text.c_str(), "%dx%d%c", &grid.rows, &grid.columns, &rest) != 2) return std::nullopt;
  if (grid.rows < 1 || grid.columns < 1 || grid.rows * grid.columns != processes) return std::nullopt;
  return grid;
}

/// What one way has shown, on rank 0.
struct Shown {
  Measured measured{};
  std::uint64_t wide_area_bytes = 0;  ///< of all rounds that count
  int late = 0;                       ///< runs with more than a hundredth of the packets delivered late
  std::uint64_t held = 0;             ///< the most at once on any rank
  double error = 0;                   ///< the largest
};

class Benchmark {
 public:
  Benchmark(const Options& options, const World& world, Grid grid)
      : options_(options),
        world_(world),
        contest_(release_),
        graph_(make(options, grid, world.me())),
        ways_(*graph_, options.topology),
        shown_(options.ways.size()) {
    if (world.me() == 0 && !options.trace.empty()) trace_.emplace(options.trace);
    if (trace_)
      trace_->line("way,kind,process,site,thread,kernel,row,column,step,output,begin_ms,end_ms,bytes");
  }

  /// True: everything was right.
  bool run() {
    for (int round = 0; round < options_.warm_up + options_.repetitions; ++round)
      for (std::size_t way = 0; way < options_.ways.size(); ++way) run(round, way);
    bool is_right = true;
    for (const Shown& shown : shown_) is_right = is_right && shown.measured.wrong == 0;
    return is_right;
  }
  void print(std::FILE* file) const {
    fmt::print(
        file,
        "app,way,size,tile,grid,threads,repetitions,median_ms,q1_ms,q3_ms,wide_area_bytes,held_bytes,error,"
        "late,wrong\n");
    for (std::size_t way = 0; way < shown_.size(); ++way) {
      const Shown& shown = shown_[way];
      const Summary summary = shown.measured.summary();
      fmt::print(file, "{},{},{},{},{}x{},{},{},{:.3f},{:.3f},{:.3f},{},{},{:.4f},{},{}\n", options_.app,
                 options_.ways[way], options_.size, options_.tile, graph_->grid().rows,
                 graph_->grid().columns, options_.threads, summary.repetitions, ms(summary.median_ns),
                 ms(summary.q1_ns), ms(summary.q3_ns),
                 shown.wide_area_bytes / static_cast<std::uint64_t>(options_.repetitions), shown.held,
                 shown.error, shown.late, summary.wrong);
    }
  }

 private:
  static std::unique_ptr<TileGraph> make(const Options& options, Grid grid, int me) {
    const auto maker = options.app == "qr" ? make_qr : make_cholesky;
    return maker(options.size, options.tile, grid, me);
  }

  void run(int round, std::size_t way) {
    graph_->prepare(round);
    const auto transport = ways_.transport(options_.ways[way]);
    Runtime runtime(*graph_, *transport, world_.me(), options_.threads);
    Shown& shown = shown_[way];
    const bool counts = round >= options_.warm_up;
    Traffic before{};
    contest_.run(
        round, counts, shown.measured,
        [&] {
          before = traffic();
          runtime.run();
          return last_end(runtime.events());
        },
        [&] {
          if (counts) add_traffic(shown, before);
          return collect(shown);
        });
    std::uint64_t held = runtime.most_held(), most = 0;
    MPI_Reduce(&held, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    shown.held = std::max(shown.held, most);
    if (!options_.trace.empty() && round + 1 == options_.warm_up + options_.repetitions)
      trace(options_.ways[way], runtime.events());
  }

  /// What the emulator has delivered so far.
  struct Traffic {
    std::uint64_t bytes, packets, late;
  };
  Traffic traffic() const { return {deliveries_.bytes(), deliveries_.packets(), deliveries_.late()}; }
  /// All ranks have returned from the run, and none has begun to send its result.
  void add_traffic(Shown& shown, const Traffic& before) const {
    const Traffic now = traffic();
    shown.wide_area_bytes += now.bytes - before.bytes;
    shown.late += 100 * (now.late - before.late) > now.packets - before.packets ? 1 : 0;
  }

  /// Of the tasks of this rank; 0: there were none.
  static Nanoseconds last_end(const std::vector<Event>& events) {
    Nanoseconds last = 0;
    for (const Event& event : events)
      if (event.thread >= 0) last = std::max(last, event.end);
    return last;
  }

  /// Rank 0: is the result right? The others send what they have of it.
  bool collect(Shown& shown) {
    std::vector<FinalDatum> parts = graph_->results();
    if (world_.me() != 0) {
      for (const FinalDatum& part : parts)
        MPI_Send(part->bytes().data(), static_cast<int>(part->byte_count()), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      return true;
    }
    while (parts.size() < static_cast<std::size_t>(graph_->result_count())) {
      MPI_Status status;
      int bytes = 0;
      MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      const auto part = std::make_shared<Datum>(static_cast<std::size_t>(bytes));
      MPI_Recv(part->bytes().data(), bytes, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      parts.push_back(part);
    }
    const double error = graph_->error(parts);
    shown.error = std::max(shown.error, error);
    if (error <= kLargestError) return true;
    fmt::print(stderr, "wan-taskgraph: the factors differ from LAPACK's by {:.3g} x epsilon x rows\n", error);
    return false;
  }

  /// What happened on all ranks, to the file of rank 0. Milliseconds since the first task began.
  void trace(const std::string& way, const std::vector<Event>& events) {
    Nanoseconds begin = events.empty() ? std::numeric_limits<Nanoseconds>::max() : events.front().begin;
    MPI_Allreduce(MPI_IN_PLACE, &begin, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    std::string lines;
    for (const auto& [name, thread, from, to, bytes] : events)
      lines += fmt::format("{},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f},{}\n", way,
                           thread < 0 ? "arrival" : "task", world_.me(), world_.site(world_.me()), thread,
                           graph_->kernel(name.task), name.task.row, name.task.column, name.task.step,
                           name.output, ms(from - begin), ms(to - begin), bytes);
    const int length = static_cast<int>(lines.size());
    std::vector<int> lengths(static_cast<std::size_t>(world_.size())), starts(lengths.size() + 1);
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::partial_sum(lengths.begin(), lengths.end(), starts.begin() + 1);
    std::string all(static_cast<std::size_t>(starts.back()), ' ');
    MPI_Gatherv(lines.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0,
                MPI_COMM_WORLD);
    if (trace_) std::fputs(all.c_str(), trace_->get());
  }

  const Options& options_;
  const World& world_;
  Release release_{MPI_COMM_WORLD};
  Contest contest_;
  Deliveries deliveries_;
  std::unique_ptr<TileGraph> graph_;
  Ways ways_;
  std::vector<Shown> shown_;
  std::optional<RowsFile> trace_;
};

/// The exit status of a process.
int run(const Options& options) {
  schedule(Scheduling::normal);
  const World world("wan-taskgraph", options.topology);
  const std::optional<Grid> grid = grid_of(options.grid, world.size());
  if (!grid) {
    if (world.me() == 0)
      fmt::print(stderr, "wan-taskgraph: --grid {}: expected ROWSxCOLUMNS, {} processes in all\n",
                 options.grid, world.size());
    return 2;
  }
  world.connect_all();
  Benchmark benchmark(options, world, *grid);
  const bool is_right = benchmark.run();
  if (world.me() == 0) benchmark.print(RowsFile(options.output).get());
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("A factorization as a task graph, with several ways for results from process to process",
               "wan-taskgraph");
  wan::bench::Options options;
  app.add_option("--app", options.app, "cholesky, qr")
      ->check(CLI::IsMember({"cholesky", "qr"}))
      ->capture_default_str();
  app.add_option("--size", options.size, "rows of the matrix")
      ->check(CLI::Range(1, 32'768))
      ->capture_default_str();
  app.add_option("--tile", options.tile, "rows of a tile")
      ->check(CLI::Range(1, 4'096))
      ->capture_default_str();
  app.add_option("--grid", options.grid, "of the processes, rows x columns: 4x2 (default: nearly square)");
  app.add_option("--ways", options.ways, "multicast, flat, communicators")
      ->delimiter(',')
      ->check(CLI::IsMember(wan::bench::Ways::names()));
  app.add_option("--threads", options.threads, "that run tasks, on each rank")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  wan::bench::add_rounds(app, options, "of each way");
  app.add_option("--topology", options.topology, "sites, by host");
  app.add_option("--trace", options.trace, "file for what happened in each way's last repetition");
  return wan::bench::mpi_program(
      app, argc, argv, [&] { return wan::bench::run(options); }, MPI_THREAD_FUNNELED);
}
