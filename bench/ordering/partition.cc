// SPDX-License-Identifier: BSD-3-Clause
#include <metis.h>

#include <map>
#include <set>

#include "base/index.h"
#include "base/invariant.h"
#include "bench/common/random.h"
#include "bench/ordering/phases.h"

namespace wan::bench {
namespace {

/// The graph of A + A^T without its diagonal, as METIS reads it; a node weighs its row's nonzeros.
struct Graph {
  std::vector<idx_t> begin{0}, neighbors{}, weights{};
};

Graph graph_of(const Pattern& pattern) {
  std::vector<std::set<Index>> adjacent(at(pattern.size));
  std::vector<idx_t> weights(at(pattern.size), 0);
  for (const auto& [row, column] : pattern.nonzeros) {
    ++weights[at(row)];
    if (row == column) continue;
    adjacent[at(row)].insert(column);
    adjacent[at(column)].insert(row);
  }
  Graph graph;
  for (const std::set<Index>& nodes : adjacent) {
    graph.neighbors.insert(graph.neighbors.end(), nodes.begin(), nodes.end());
    graph.begin.push_back(static_cast<idx_t>(graph.neighbors.size()));
  }
  graph.weights = std::move(weights);
  return graph;
}

std::vector<Rank> parts_of(Graph graph, int ranks) {
  idx_t nodes = static_cast<idx_t>(graph.weights.size()), constraints = 1, parts = ranks, cut = 0;
  std::vector<idx_t> part(graph.weights.size(), 0);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  if (ranks == 1) return std::vector<Rank>(part.size(), 0);  // METIS divides by zero
  const int status = METIS_PartGraphKway(&nodes, &constraints, graph.begin.data(), graph.neighbors.data(),
                                         graph.weights.data(), nullptr, nullptr, &parts, nullptr, nullptr,
                                         options, &cut, part.data());
  invariant(status == METIS_OK, "METIS partitions a graph");
  return {part.begin(), part.end()};
}

/// The rows and columns of the nonzeros of a block.
struct Block {
  std::set<Index> rows, columns;
};

/// Does the owner of its rows have the block of these parts?
bool is_with_rows(const Block& block, Rank of_rows, Rank of_columns) {
  if (block.rows.size() != block.columns.size()) return block.columns.size() < block.rows.size();
  return mixed(static_cast<std::uint64_t>(of_rows), static_cast<std::uint64_t>(of_columns), 0) % 2 == 0;
}

}  // namespace

Partition partition(const Pattern& pattern, int ranks) {
  Partition result{ranks, parts_of(graph_of(pattern), ranks), {}};
  const auto parts = [&](const Nonzero& each) {
    return std::pair(result.of_entries[at(each.row)], result.of_entries[at(each.column)]);
  };
  std::map<std::pair<Rank, Rank>, Block> blocks;
  for (const Nonzero& each : pattern.nonzeros) {
    Block& block = blocks[parts(each)];
    block.rows.insert(each.row);
    block.columns.insert(each.column);
  }
  std::map<std::pair<Rank, Rank>, Rank> owners;
  for (const auto& [part, block] : blocks)
    owners[part] = is_with_rows(block, part.first, part.second) ? part.first : part.second;
  for (const Nonzero& each : pattern.nonzeros) result.of_nonzeros.push_back(owners.at(parts(each)));
  return result;
}

}  // namespace wan::bench
