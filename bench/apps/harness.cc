// SPDX-License-Identifier: BSD-3-Clause
#include "bench/apps/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench/apps/profile.h"
#include "bench/apps/result.h"
#include "bench/common/deliveries.h"
#include "bench/common/release.h"
#include "bench/common/scheduling.h"

namespace wan::bench {
namespace {

constexpr std::int64_t kGreeting =
    -2;  ///< a round without work: connections are made, and how long an order takes becomes known
constexpr int kGreetings = 3;

/// Rank 0's sheet: the rows, and which repetitions count.
class Sheet {
 public:
  Sheet(const std::string& name, const App& app, const RunOptions& options)
      : name_(name), problem_(app.problem()), file_(options.output) {
    file_.line(repetition_header());
  }

  /// The lab's counters before a round.
  void begin() {
    late_ = deliveries_.late();
    packets_ = deliveries_.packets();
  }
  /// What the round's packets were, before its result is checked.
  void end() {
    late_ = deliveries_.late() - late_;
    packets_ = deliveries_.packets() - packets_;
  }
  /// Writes a row. True: the result was right.
  bool add(const std::vector<Finish>& finishes) {
    Repetition row{name_, problem_, static_cast<Rank>(finishes.size()), 0, 0, 0, 0, 0};
    for (const Finish& finish : finishes) {
      row.time_ns = std::max(row.time_ns, finish.time_ns);
      row.mpi_ns += finish.mpi_ns / static_cast<Nanoseconds>(finishes.size());
      row.wrong += finish.wrong;
    }
    row.late = static_cast<std::int64_t>(late_);
    row.packets = static_cast<std::int64_t>(packets_);
    file_.line(to_csv(row));
    return row.wrong == 0;
  }

 private:
  std::string name_, problem_;
  RowsFile file_;
  Deliveries deliveries_;
  std::uint64_t late_ = 0, packets_ = 0;
};

Finish run_round(const std::string& name, App& app, Release& release, const Order& order, Sheet* sheet) {
  Finish finish;
  finish.notice_ns = release.await(order);
  if (order.round == kGreeting) return finish;
  if (sheet) sheet->begin();
  reset_profile();
  app.run();
  finish.time_ns = now_ns() - order.release_ns;
  finish.mpi_ns = profiled_ns();
  if (sheet) {
    sheet->end();
    fmt::print(stderr, "{}: MPI calls of rank 0: {}\n", name, profiled_calls());
  }
  return finish;
}

/// Checks a round's result and makes ready for the next one: whoever orders that knows then that all are
/// ready.
bool close_round(const std::string& name, App& app, const Order& order) {
  if (order.round == kGreeting) return true;
  const std::optional<std::string> mistake = app.mistake();
  if (mistake) fmt::print(stderr, "{}: rank {}: {}\n", name, my_rank(), *mistake);
  app.prepare(order.round + 1);
  return !mistake;
}

/// The round of an order: everybody's, at the leader.
std::vector<Finish> report_round(const std::string& name, App& app, Release& release, const Order& order,
                                 Sheet* sheet) {
  const Finish finish = run_round(name, app, release, order, sheet);
  return release.report(order, finish, [&] { return close_round(name, app, order); });
}

int lead(const std::string& name, App& app, Release& release, const RunOptions& options) {
  Sheet sheet(name, app, options);
  for (int i = 0; i < kGreetings; ++i) report_round(name, app, release, release.order(kGreeting, 0), &sheet);
  bool right = true;
  for (int round = 0; round < options.warm_up + options.repetitions; ++round) {
    const std::vector<Finish> finishes = report_round(name, app, release, release.order(round, 0), &sheet);
    const bool all_right = std::ranges::all_of(finishes, [](const Finish& each) { return each.wrong == 0; });
    right = (round < options.warm_up ? all_right : sheet.add(finishes)) && right;
  }
  release.dismiss();
  return right ? 0 : 1;
}

}  // namespace

void define(CLI::App& cli, RunOptions& options) {
  cli.add_option("--repetitions", options.repetitions, "measured rounds")->check(CLI::Range(1, 100'000));
  cli.add_option("--warm-up", options.warm_up, "rounds before them")->check(CLI::Range(0, 1'000));
  cli.add_option("--output", options.output, "file for the rows instead of standard output");
}

int run_app(const std::string& name, App& app, const RunOptions& options) {
  schedule(Scheduling::normal);
  Release release(MPI_COMM_WORLD);
  app.prepare(0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (release.leads()) return lead(name, app, release, options);
  while (const std::optional<Order> order = release.next()) report_round(name, app, release, *order, nullptr);
  return 0;
}

Rank my_rank() {
  Rank rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

Rank number_of_ranks() {
  Rank size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

}  // namespace wan::bench
