// SPDX-License-Identifier: BSD-3-Clause
// asp: all-pairs shortest paths by parallel Floyd-Warshall, as in papers/004. The rows of the distance matrix
// lie in blocks on the ranks; iteration k broadcasts row k from its owner, and each rank looks whether node k
// is a shorter way for its rows. Broadcasts may overtake each other as far as MPI_Bcast lets its root go on.
// Checked by Dijkstra's algorithm: each rank computes its rows again from the graph, which everybody knows.
#include <algorithm>
#include <span>
#include <vector>

#include "bench/apps/harness.h"
#include "bench/common/random.h"

namespace wan::bench {
namespace {

using Length = std::int32_t;

constexpr Length kNone = 1 << 29;         ///< no way; the sum of two fits
constexpr std::uint64_t kNeighbors = 16;  ///< edges that leave a node, on average
constexpr std::uint64_t kLongest = 100;   ///< longest edge

/// A directed random graph, with a ring through all nodes.
class Graph {
 public:
  Graph(Rank nodes, std::int64_t seed) : nodes_(nodes), seed_(static_cast<std::uint64_t>(seed)) {}

  /// Length of the edge; kNone where there is none.
  Length edge(Rank from, Rank to) const {
    if (from == to) return 0;
    const auto a = static_cast<std::uint64_t>(from), b = static_cast<std::uint64_t>(to);
    const std::uint64_t number = mixed(a, b, seed_), nodes = static_cast<std::uint64_t>(nodes_);
    if (number % nodes >= kNeighbors && b != (a + 1) % nodes) return kNone;
    return static_cast<Length>(1 + (number >> 32) % kLongest);
  }

 private:
  Rank nodes_;
  std::uint64_t seed_;
};

class Asp : public App {
 public:
  struct Problem {
    Rank nodes = 1000;
  };
  static void define(CLI::App& cli, Problem& problem) {
    cli.add_option("--nodes", problem.nodes, "of the graph: rows of the distance matrix")
        ->check(CLI::Range(1, 100'000));
  }

  explicit Asp(const Problem& problem) : nodes_(problem.nodes), graph_(problem.nodes, 0) {
    const auto row = static_cast<std::size_t>(nodes_);
    distances_.resize(static_cast<std::size_t>(end() - begin()) * row);
    row_.resize(row);
  }

  std::string problem() const override { return std::to_string(nodes_) + " nodes"; }

  void prepare(std::int64_t round) override {
    graph_ = Graph(nodes_, round);
    for (Rank i = begin(); i < end(); ++i) {
      for (Rank j = 0; j < nodes_; ++j) row_of(i)[j] = graph_.edge(i, j);
    }
  }

  void run() override {
    for (Rank owner = 0; owner < number_of_ranks(); ++owner) {
      for (Rank k = first_row(owner); k < first_row(owner + 1); ++k) {
        if (owner == my_rank()) std::copy_n(row_of(k), nodes_, row_.data());
        MPI_Bcast(row_.data(), nodes_, MPI_INT32_T, owner, MPI_COMM_WORLD);
        shorten(k);
      }
    }
  }

  std::optional<std::string> mistake() override {
    const std::vector<Length> edges = all_edges();
    for (Rank i = begin(); i < end(); ++i) {
      const std::vector<Length> right = dijkstra(edges, i);
      const auto wrong = std::ranges::mismatch(right, std::span(row_of(i), right.size())).in1;
      if (wrong != right.end())
        return "the way from " + std::to_string(i) + " to " + std::to_string(wrong - right.begin()) +
               " has the wrong length";
    }
    return std::nullopt;
  }

 private:
  /// Rows from here on, and before the first of the next rank, are on `rank`.
  Rank first_row(Rank rank) const {
    return static_cast<Rank>(std::int64_t{nodes_} * rank / number_of_ranks());
  }
  Rank begin() const { return first_row(my_rank()); }
  Rank end() const { return first_row(my_rank() + 1); }
  Length* row_of(Rank i) { return distances_.data() + static_cast<std::ptrdiff_t>(i - begin()) * nodes_; }

  /// Ways over node k.
  void shorten(Rank k) {
    for (Rank i = begin(); i < end(); ++i) {
      Length* const row = row_of(i);
      const Length to_k = row[k];
      if (to_k == kNone) continue;
      for (Rank j = 0; j < nodes_; ++j) row[j] = std::min(row[j], to_k + row_[static_cast<std::size_t>(j)]);
    }
  }

  std::vector<Length> all_edges() const {
    std::vector<Length> edges;
    edges.reserve(row_.size() * row_.size());
    for (Rank i = 0; i < nodes_; ++i) {
      for (Rank j = 0; j < nodes_; ++j) edges.push_back(graph_.edge(i, j));
    }
    return edges;
  }

  /// Distances from `source`.
  std::vector<Length> dijkstra(const std::vector<Length>& edges, Rank source) const {
    std::vector<Length> distance(row_.size(), kNone), open(row_.size(), kNone);  // open: kNone where done
    distance[static_cast<std::size_t>(source)] = open[static_cast<std::size_t>(source)] = 0;
    for (;;) {
      const auto nearest = std::ranges::min_element(open);
      if (*nearest == kNone) return distance;
      const Length so_far = *nearest;
      const auto from = static_cast<std::size_t>(nearest - open.begin());
      *nearest = kNone;
      for (std::size_t to = 0; to < row_.size(); ++to) {
        const Length length = so_far + edges[from * row_.size() + to];
        if (length < distance[to]) distance[to] = open[to] = length;
      }
    }
  }

  Rank nodes_;
  Graph graph_;
  std::vector<Length> distances_;  ///< this rank's rows
  std::vector<Length> row_;        ///< the row of the iteration
};

}  // namespace
}  // namespace wan::bench

int main(int argc, char** argv) {
  return wan::bench::app_main<wan::bench::Asp>(
      argc, argv, "asp", "All-pairs shortest paths: one broadcast for each row of the distance matrix");
}
