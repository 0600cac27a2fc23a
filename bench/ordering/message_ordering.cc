// SPDX-License-Identifier: BSD-3-Clause
// message-ordering: the left half of table 1 of papers/003 over our matrices: how many messages the ranks of
// a row-column-parallel sparse matrix-vector multiply send before and after the multiplication, and the
// completion in the paper's unit model of the best order (the paper's algorithm), the worst (the opposite)
// and random ones. Exit status 1: the best order is not the optimum, or some random order beats it. No MPI.
// Tested by bench/ordering/ordering_test.sh.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/common/random.h"
#include "bench/ordering/phases.h"

namespace wan::bench {
namespace {

struct Options {
  int ranks = 24;
  int random_orders = 200;
};

struct Sends {
  std::int64_t least = 0, most = 0, all = 0;
};
Sends sends_of(const Messages& messages) {
  Sends sends{std::ssize(messages.front()), 0, 0};
  for (const auto& receivers : messages) {
    sends.least = std::min(sends.least, std::ssize(receivers));
    sends.most = std::max(sends.most, std::ssize(receivers));
    sends.all += std::ssize(receivers);
  }
  return sends;
}

/// Each sender in an order of its own.
Orders random_orders(const Messages& messages, int number) {
  Orders orders;
  for (const auto& receivers : messages) {
    std::vector<Rank>& order = orders.emplace_back();
    for (const auto& [to, entries] : receivers) order.push_back(to);
    const auto from = static_cast<std::uint64_t>(orders.size());
    std::ranges::sort(order, {}, [&](Rank to) {
      return mixed(from, static_cast<std::uint64_t>(to), static_cast<std::uint64_t>(number));
    });
  }
  return orders;
}

struct RandomOrders {
  double mean = 0;
  std::int64_t least = 0;
};
RandomOrders try_random_orders(const Messages& messages, const std::vector<std::int64_t>& loads, int number) {
  RandomOrders result{0, completion(random_orders(messages, 0), loads)};
  for (int i = 0; i < number; ++i) {
    const std::int64_t end = completion(random_orders(messages, i), loads);
    result.mean += static_cast<double>(end) / number;
    result.least = std::min(result.least, end);
  }
  return result;
}

/// Prints a row; is its best order the best?
bool show(const Pattern& pattern, const Options& options) {
  const Phases phases = phases_of(pattern, partition(pattern, options.ranks));
  const auto loads = post_loads(phases);
  std::vector<std::int64_t> opposite(loads);
  for (std::int64_t& load : opposite) load = -load;
  const std::int64_t best = completion(ordered_by(phases.expand, loads), loads),
                     worst = completion(ordered_by(phases.expand, opposite), loads),
                     optimum = least_completion(phases.expand, loads);
  const RandomOrders random = try_random_orders(phases.expand, loads, options.random_orders);
  const Sends before = sends_of(phases.expand), after = sends_of(phases.fold);
  fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{:.1f},{}\n", pattern.name, pattern.size,
             pattern.nonzeros.size(), before.least, before.most, before.all, after.least, after.most,
             after.all, optimum, best, worst, random.mean, random.least);
  return best == optimum && optimum <= random.least && best <= worst;
}

int run(const Options& options) {
  fmt::print(
      "matrix,rows,nonzeros,pre_min,pre_max,pre_total,post_min,post_max,post_total,optimum,best,worst,random_"
      "mean,random_least\n");
  bool all_best = true;
  for (const Pattern& pattern : patterns()) all_best = show(pattern, options) && all_best;
  if (!all_best) fmt::print(stderr, "message-ordering: the best order is not the best\n");
  return all_best ? 0 : 1;
}

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  CLI::App app("Message ordering in the unit model of papers/003", "message-ordering");
  wan::bench::Options options;
  app.add_option("--ranks", options.ranks, "of the multiply")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_option("--random", options.random_orders, "random orders of each matrix")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return wan::bench::run(options);
}
