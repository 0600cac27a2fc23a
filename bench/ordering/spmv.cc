// SPDX-License-Identifier: BSD-3-Clause
// spmv: row-column-parallel sparse matrix-vector multiplies y = A x over partitioned matrices, the right half
// of table 1 of papers/003. Both phases are an MPI_Neighbor_alltoallv over a graph of the matrix's messages,
// which are all of one length, as in the paper. Each rank says with the info key coll_wan_post_load how many
// messages it sends after the multiplication (order "best"), or the opposite ("worst"), or says nothing
// ("none"). The orders take turns, so that a slow minute of the machine hits all of them. y is checked
// against a serial multiply. Plain MPI. Tested by bench/ordering/ordering_test.sh.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/index.h"
#include "bench/common/contest.h"
#include "bench/common/mpi_program.h"
#include "bench/common/random.h"
#include "bench/common/scheduling.h"
#include "bench/ordering/phases.h"

namespace wan::bench {
namespace {

struct Options {
  std::vector<std::string> matrices{}, orders{"best", "worst"};
  int message_bytes = 4096, repetitions = 15, warm_up = 2;
  std::string output{};
};

double value(const Nonzero& each) {
  return random_real(static_cast<std::uint64_t>(each.row), static_cast<std::uint64_t>(each.column), 1);
}
double x_entry(Index j, std::int64_t round) {
  return random_real(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(round), 2);
}

struct World {
  Rank me = 0;
  int size = 1;
};

/// METIS runs on rank 0: other hosts may have another one.
Partition shared_partition(const Pattern& pattern, const World& world) {
  Partition result{world.size, std::vector<Rank>(at(pattern.size)),
                   std::vector<Rank>(pattern.nonzeros.size())};
  if (world.me == 0) result = partition(pattern, world.size);
  MPI_Bcast(result.of_entries.data(), static_cast<int>(result.of_entries.size()), MPI_INT32_T, 0,
            MPI_COMM_WORLD);
  MPI_Bcast(result.of_nonzeros.data(), static_cast<int>(result.of_nonzeros.size()), MPI_INT32_T, 0,
            MPI_COMM_WORLD);
  return result;
}

/// One phase of one rank: a message of a fixed length to each receiver and from each sender, and the entries
/// in it.
class Phase {
 public:
  Phase(const Messages& messages, const World& world, int doubles, MPI_Info info) : doubles_(doubles) {
    for (const auto& [to, entries] : messages[at(world.me)]) add(to, entries, receivers_, out_);
    for (Rank from = 0; from < world.size; ++from)
      if (const auto found = messages[at(from)].find(world.me); found != messages[at(from)].end())
        add(from, found->second, senders_, in_);
    // MPI refuses null arrays, even empty ones.
    for (std::vector<int>* each : {&senders_, &receivers_}) each->reserve(1);
    send_.resize(receivers_.size() * at(doubles) + 1);
    receive_.resize(senders_.size() * at(doubles) + 1);
    counts_.assign(std::max(senders_.size(), receivers_.size()) + 1, doubles);
    for (std::size_t i = 0; i < counts_.size(); ++i) displacements_.push_back(static_cast<int>(i) * doubles);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(senders_.size()), senders_.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(receivers_.size()), receivers_.data(),
                                   MPI_UNWEIGHTED, info, 0, &comm_);
  }
  ~Phase() { MPI_Comm_free(&comm_); }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// Sends entries of `from`; what comes in is handed to take(entry, value).
  template <class Take>
  void exchange(const std::vector<double>& from, Take take) {
    for (std::size_t k = 0; k < out_.size(); ++k)
      for (std::size_t i = 0; i < out_[k].size(); ++i) send_[k * at(doubles_) + i] = from[at(out_[k][i])];
    MPI_Neighbor_alltoallv(send_.data(), counts_.data(), displacements_.data(), MPI_DOUBLE, receive_.data(),
                           counts_.data(), displacements_.data(), MPI_DOUBLE, comm_);
    for (std::size_t k = 0; k < in_.size(); ++k)
      for (std::size_t i = 0; i < in_[k].size(); ++i) take(in_[k][i], receive_[k * at(doubles_) + i]);
  }

 private:
  void add(Rank peer, const std::vector<Index>& entries, std::vector<int>& peers,
           std::vector<std::vector<Index>>& lists) {
    peers.push_back(peer);
    lists.push_back(entries);
    if (std::ssize(entries) <= doubles_) return;
    fmt::print(stderr, "spmv: a message has {} entries: give --message-bytes {}\n", entries.size(),
               entries.size() * sizeof(double));
    MPI_Abort(MPI_COMM_WORLD, 2);
  }

  int doubles_;
  std::vector<int> senders_, receivers_, counts_, displacements_;
  std::vector<std::vector<Index>> in_, out_;
  std::vector<double> send_, receive_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The key of this rank for an order; MPI_INFO_NULL for none.
class Key {
 public:
  Key(const std::string& order, const std::vector<std::int64_t>& loads, Rank me) {
    if (order == "none") return;
    const std::int64_t most = *std::ranges::max_element(loads), mine = loads[at(me)];
    MPI_Info_create(&info_);
    MPI_Info_set(info_, "coll_wan_post_load", std::to_string(order == "best" ? mine : most - mine).c_str());
  }
  ~Key() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  MPI_Info info() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// The multiply of one matrix with one order of the first phase's messages.
class Multiply {
 public:
  Multiply(const Pattern& pattern, const Partition& parts, const Phases& phases, const World& world,
           int doubles, const Key& key)
      : pattern_(pattern),
        parts_(parts),
        me_(world.me),
        expand_(phases.expand, world, doubles, key.info()),
        fold_(phases.fold, world, doubles, MPI_INFO_NULL) {}

  void prepare(std::int64_t round) {
    x_.assign(at(pattern_.size), NAN);  // what does not come is not known
    for (Index j = 0; j < pattern_.size; ++j)
      if (parts_.of_entries[at(j)] == me_) x_[at(j)] = x_entry(j, round);
    y_.assign(at(pattern_.size), 0);
  }
  void run() {
    expand_.exchange(x_, [&](Index j, double entry) { x_[at(j)] = entry; });
    for (std::size_t k = 0; k < pattern_.nonzeros.size(); ++k)
      if (parts_.of_nonzeros[k] == me_)
        y_[at(pattern_.nonzeros[k].row)] += value(pattern_.nonzeros[k]) * x_[at(pattern_.nonzeros[k].column)];
    fold_.exchange(y_, [&](Index i, double partial) { y_[at(i)] += partial; });
  }
  bool is_right(std::int64_t round) const {
    std::vector<double> serial(at(pattern_.size), 0);
    for (const Nonzero& each : pattern_.nonzeros)
      serial[at(each.row)] += value(each) * x_entry(each.column, round);
    for (Index i = 0; i < pattern_.size; ++i)
      if (parts_.of_entries[at(i)] == me_ &&
          !(std::abs(y_[at(i)] - serial[at(i)]) <= 1e-12 * (1 + std::abs(serial[at(i)])) * 100))
        return false;
    return true;
  }

 private:
  const Pattern& pattern_;
  const Partition& parts_;
  Rank me_;
  Phase expand_, fold_;
  std::vector<double> x_, y_;
};

/// All orders of one matrix.
class Orderings {
 public:
  Orderings(const Pattern& pattern, const World& world, const Options& options)
      : pattern_(pattern),
        parts_(shared_partition(pattern, world)),
        phases_(phases_of(pattern, parts_)),
        loads_(post_loads(phases_)),
        orders_(options.orders),
        measured_(options.orders.size()) {
    for (const std::string& order : orders_)
      multiplies_.push_back(std::make_unique<Multiply>(pattern_, parts_, phases_, world,
                                                       options.message_bytes / int{sizeof(double)},
                                                       Key(order, loads_, world.me)));
  }

  /// One multiply of every order, in turn.
  void run_round(Contest& contest, std::int64_t round, bool counts) {
    for (std::size_t i = 0; i < multiplies_.size(); ++i) {
      Multiply& multiply = *multiplies_[i];
      multiply.prepare(round);
      contest.run(
          round, counts, measured_[i], [&] { multiply.run(); }, [&] { return multiply.is_right(round); });
    }
  }
  void print(std::FILE* file) const {
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      const Summary summary = measured_[i].summary();
      fmt::print(file, "{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{},{}\n", pattern_.name, orders_[i],
                 unit_of(orders_[i]), least_completion(phases_.expand, loads_), summary.repetitions,
                 ms(summary.median_ns), ms(summary.q1_ns), ms(summary.q3_ns),
                 ms(std::ranges::min(measured_[i].times)), summary.late, summary.wrong);
    }
    std::fflush(file);
  }
  bool all_right() const {
    return std::ranges::all_of(measured_, [](const Measured& each) { return each.wrong == 0; });
  }

 private:
  /// The order's completion in the unit model; as the receivers are listed, if nobody says anything.
  std::int64_t unit_of(const std::string& order) const {
    std::vector<std::int64_t> keys = loads_;
    for (std::int64_t& key : keys) key = order == "best" ? key : order == "worst" ? -key : 0;
    return completion(ordered_by(phases_.expand, keys), loads_);
  }

  const Pattern& pattern_;
  Partition parts_;
  Phases phases_;
  std::vector<std::int64_t> loads_;
  std::vector<std::string> orders_;
  std::vector<std::unique_ptr<Multiply>> multiplies_;
  std::vector<Measured> measured_;
};

std::vector<Pattern> wanted_patterns(const Options& options) {
  std::vector<Pattern> all = patterns();
  if (!options.matrices.empty())
    std::erase_if(all, [&](const Pattern& each) {
      return std::ranges::find(options.matrices, each.name) == options.matrices.end();
    });
  return all;
}

/// Rank 0 prints; the exit status of its process.
int run(const Options& options) {
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.me);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  schedule(Scheduling::normal);
  Release release(MPI_COMM_WORLD);
  Contest contest(release);
  std::optional<RowsFile> rows;
  if (world.me == 0) rows.emplace(options.output);
  if (rows)
    fmt::print(rows->get(),
               "matrix,order,unit,optimum,repetitions,median_ms,q1_ms,q3_ms,least_ms,late,wrong\n");
  bool right = true;
  for (const Pattern& pattern : wanted_patterns(options)) {
    Orderings orders(pattern, world, options);
    for (int round = 0; round < options.warm_up + options.repetitions; ++round)
      orders.run_round(contest, round, round >= options.warm_up);
    if (rows) orders.print(rows->get());
    right = orders.all_right() && right;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Sparse matrix-vector multiplies whose messages are ordered", "spmv");
  wan::bench::Options options;
  std::vector<std::string> names;
  for (const wan::bench::Pattern& pattern : wan::bench::patterns()) names.push_back(pattern.name);
  app.add_option("--matrices", options.matrices, "some of the table's")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--orders", options.orders, "best, worst, none")
      ->delimiter(',')
      ->check(CLI::IsMember({"best", "worst", "none"}));
  app.add_option("--message-bytes", options.message_bytes, "of every message")
      ->check(CLI::Range(8, 1 << 24))
      ->capture_default_str();
  wan::bench::add_rounds(app, options, "of each matrix and order");
  return wan::bench::mpi_program(app, argc, argv, [&] { return wan::bench::run(options); });
}
