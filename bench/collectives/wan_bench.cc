// SPDX-License-Identifier: BSD-3-Clause
// wan-bench: completion times of MPI's collectives. All ranks are released at one instant; a repetition takes
// from there to the return of the last rank. Rows of CSV (cell.h) on standard output or in a file, written by
// rank 0. A plain MPI program: it runs on any Open MPI, with whatever collective components its user selects.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/collectives/cell.h"
#include "bench/collectives/operation.h"
#include "bench/common/deliveries.h"
#include "bench/common/mpi_program.h"
#include "bench/common/release.h"
#include "bench/common/scheduling.h"

namespace wan::bench {
namespace {

constexpr int kMisses = 20;  ///< rounds in a row of which some rank may learn too late
constexpr int kFewest = 3;   ///< repetitions, whatever the time limit of a cell says

struct Options {
  std::vector<std::string> collectives{"all"}, forms{"blocking"};
  std::vector<Bytes> sizes{8};
  std::vector<Rank> roots{0};
  int repetitions = 11;
  int warm_up = 2;
  double seconds_per_cell = 10;
  double pause = 0;
  std::string output, groups = "none", operation = "predefined";
  Rank concentration = 1;
  Scheduling scheduling = Scheduling::normal;
};

void define(CLI::App& app, Options& options) {
  app.add_option("--collectives", options.collectives, "all, or names: bcast,alltoallv")->delimiter(',');
  app.add_option("--forms", options.forms,
                 "all (three), or some of blocking,nonblocking,persistent,overlapped")
      ->delimiter(',');
  app.add_option("--sizes", options.sizes, "bytes: of the message, or of one rank's block")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--roots", options.roots, "ranks; -1 is the last")->delimiter(',');
  app.add_option("--groups", options.groups,
                 "halves or parity: between lower and higher, or even and odd ranks, on an "
                 "intercommunicator; roots in the first");
  app.add_option("--concentration", options.concentration,
                 "N: of vector forms every N-th rank alone has a block, N times as long")
      ->check(CLI::Range(1, 1'000));
  app.add_option("--operator", options.operation,
                 "of reductions of multiples of 8 bytes: predefined, or user, a function of this program")
      ->check(CLI::IsMember({"predefined", "user"}));
  app.add_option("--repetitions", options.repetitions, "measured rounds of each cell")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--warm-up", options.warm_up, "rounds before them")->check(CLI::Range(0, 1'000));
  app.add_option("--seconds-per-cell", options.seconds_per_cell,
                 "no further repetition after these, but three at least");
  app.add_option("--pause", options.pause,
                 "seconds of silence before each round, as of an application that computes; then no round is "
                 "rehearsed")
      ->check(CLI::Range(0.0, 3'600.0));
  app.add_option("--output", options.output, "file for the rows instead of standard output");
  app.add_flag_callback(
      "--real-time", [&] { options.scheduling = Scheduling::real_time; },
      "schedule the ranks before all else on this machine, round robin, where that is allowed");
}

Finish run_round(Operation& operation, Release& release, const Order& order) {
  Finish finish;
  operation.fill(order.round);
  finish.notice_ns = release.await(order, [&] { operation.run(0); });
  finish.lateness_ns = now_ns() - order.release_ns;
  operation.run(order.work_ns);
  finish.time_ns = now_ns() - order.release_ns - order.work_ns;
  return finish;
}

/// The round of an order: everybody's, at the leader.
std::vector<Finish> report_round(Operation& operation, Release& release, const Order& order) {
  const Finish finish = run_round(operation, release, order);
  return release.report(order, finish, [&] { return operation.correct(order.round); });
}

/// What somebody else sends over the links of the lab meanwhile.
class Others {
 public:
  explicit Others(const Deliveries& deliveries) : deliveries_(deliveries) { begin(); }
  void begin() {
    begun_ = deliveries_.others();
    begun_ns_ = now_ns();
  }
  /// Since then, on the link where it is least; 0: nobody sends.
  BytesPerSecond least_rate() const {
    const std::vector<std::uint64_t> now = deliveries_.others();
    std::optional<std::uint64_t> least;
    for (std::size_t i = 0; i < now.size(); ++i)
      least = std::min(least.value_or(now[i] - begun_[i]), now[i] - begun_[i]);
    return static_cast<BytesPerSecond>(static_cast<double>(least.value_or(0)) * 1e9 /
                                       static_cast<double>(now_ns() - begun_ns_));
  }

 private:
  const Deliveries& deliveries_;
  std::vector<std::uint64_t> begun_;
  Nanoseconds begun_ns_ = 0;
};

/// What the leader makes of a cell's rounds.
class Rounds {
 public:
  Rounds(const Options& options, Form form)
      : form_(form),
        left_to_warm_up_(form == Form::overlapped ? std::max(1, options.warm_up) : options.warm_up),
        wanted_(static_cast<std::size_t>(options.repetitions)),
        end_ns_(now_ns() + static_cast<Nanoseconds>(options.seconds_per_cell * 1e9)) {}

  bool done() const {
    const std::size_t number = measurement_.times.size();
    return number >= wanted_ || (number >= kFewest && now_ns() >= end_ns_);
  }

  /// How long the ranks compute in the next round: as long as the rounds of the warm-up took without that.
  Nanoseconds work_ns() const {
    return form_ == Form::overlapped && left_to_warm_up_ <= 0 ? quantile(without_work_, 0.5) : 0;
  }

  void add(const std::vector<Finish>& finishes) {
    if (std::ranges::any_of(finishes, [](const Finish& finish) { return finish.notice_ns < 0; }))
      return miss();
    misses_ = 0;
    if (std::ranges::any_of(finishes, [](const Finish& finish) { return finish.wrong != 0; }))
      ++measurement_.wrong;
    const bool late = delivered_late();
    if (left_to_warm_up_ > 0)
      without_work_.push_back(std::ranges::max(finishes, {}, &Finish::time_ns).time_ns);
    if (left_to_warm_up_ > 0) others_.begin();
    if (left_to_warm_up_-- > 0 || (late && run_again_++ < wanted_)) return;
    measurement_.late += late;
    measurement_.times.push_back(std::ranges::max(finishes, {}, &Finish::time_ns).time_ns);
    starts_.push_back(std::ranges::max(finishes, {}, &Finish::lateness_ns).lateness_ns);
  }

  Measurement result() {
    measurement_.start_lateness_ns = quantile(starts_, 0.5);
    measurement_.others = others_.least_rate();
    return measurement_;
  }

 private:
  /// Since the last round.
  bool delivered_late() {
    const std::uint64_t before = std::exchange(late_so_far_, deliveries_.late());
    return late_so_far_ != before;
  }

  void miss() {
    if (++misses_ < kMisses) return;
    std::fprintf(stderr,
                 "wan-bench: the ranks cannot be released together: some learn of each release too late\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  Measurement measurement_;
  std::vector<Nanoseconds> starts_, without_work_;
  Form form_;
  int left_to_warm_up_;
  int misses_ = 0;
  std::size_t run_again_ = 0;  ///< rounds dropped because deliveries were late
  Deliveries deliveries_;
  Others others_{deliveries_};
  std::uint64_t late_so_far_ = deliveries_.late();
  std::size_t wanted_;
  Nanoseconds end_ns_;
};

Measurement lead(Operation& operation, Release& release, const Options& options, Form form) {
  Rounds rounds(options, form);
  for (std::int64_t round = 0; !rounds.done(); ++round) {
    sleep_until(now_ns() + static_cast<Nanoseconds>(options.pause * 1e9));  // the others wait for the order
    rounds.add(report_round(operation, release, release.order(round, rounds.work_ns())));
  }
  release.dismiss();
  return rounds.result();
}

void follow(Operation& operation, Release& release) {
  while (const std::optional<Order> order = release.next()) report_round(operation, release, *order);
}

/// The host of each rank, at rank 0.
std::vector<std::string> hosts() {
  int me = 0, size = 1, length = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string name(MPI_MAX_PROCESSOR_NAME, '\0');
  MPI_Get_processor_name(name.data(), &length);
  if (me != 0) {
    MPI_Send(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return {};
  }
  std::vector<std::string> all(static_cast<std::size_t>(size), name);
  for (int rank = 1; rank < size; ++rank) {
    MPI_Recv(all[static_cast<std::size_t>(rank)].data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, rank, 0,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (std::string& each : all) each.resize(each.find('\0'));
  return all;
}

/// Ranks of the first group, or of all, counted from 0, or back from the end.
std::vector<Rank> absolute(std::vector<Rank> roots, Grouping grouping) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (grouping != Grouping::none) size /= 2;
  for (Rank& root : roots) root = ((root % size) + size) % size;
  std::ranges::sort(roots);
  roots.erase(std::ranges::unique(roots).begin(), roots.end());
  return roots;
}

/// Returns the number of cells with a wrong result.
int measure(const std::vector<Cell>& cells, const Options& options, const Distribution& distribution) {
  const Team team(distribution, options.operation == "user");
  Release release(MPI_COMM_WORLD, options.pause > 0 ? Rehearsal::none : Rehearsal::of_short_rounds);
  std::optional<RowsFile> sheet;
  if (release.leads()) sheet.emplace(options.output);
  const std::vector<std::string> names = hosts();
  if (sheet) sheet->line(hosts_line(names) + "\n" + csv_header());
  int wrong = 0;
  for (const Cell& cell : cells) {
    Operation operation(cell, team);
    if (!sheet) {
      follow(operation, release);
      continue;
    }
    const Row row{cell, lead(operation, release, options, cell.form)};
    wrong += row.measurement.wrong != 0;
    sheet->line(to_csv(row));
  }
  return wrong;
}

int complain(const InputError& error) {
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) std::fprintf(stderr, "wan-bench: %s\n", error.message().c_str());
  return 2;
}

int run(const Options& options) {
  const auto collectives = parse_collectives(options.collectives, "--collectives");
  if (!collectives) return complain(collectives.error());
  const auto forms = parse_forms(options.forms, "--forms");
  if (!forms) return complain(forms.error());
  const auto distribution = parse_distribution(options.groups, options.concentration);
  if (!distribution) return complain(distribution.error());
  const Grouping grouping = distribution->grouping;
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (grouping != Grouping::none && size % 2 != 0)
    return complain({"--groups", 0, "", options.groups, "expected an even number of ranks"});
  schedule(options.scheduling);
  std::vector<Cell> cells = cells_of(*collectives, *forms, options.sizes, absolute(options.roots, grouping));
  std::erase_if(cells, [&](const Cell& cell) { return !is_defined(cell.collective, grouping); });
  const int wrong = measure(cells, options, *distribution);
  if (wrong > 0) std::fprintf(stderr, "wan-bench: %d cells had wrong results\n", wrong);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Completion times of MPI's collectives: released together, until the last rank returns",
               "wan-bench");
  wan::bench::Options options;
  wan::bench::define(app, options);
  return wan::bench::mpi_program(app, argc, argv, [&] { return wan::bench::run(options); });
}
