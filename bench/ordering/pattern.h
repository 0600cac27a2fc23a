// SPDX-License-Identifier: BSD-3-Clause
// Patterns of square sparse matrices: irregular meshes of two and three dimensions, and R-MAT graphs
// (Chakrabarti, Zhan and Faloutsos, 2004). The same on every machine. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace wan::bench {

using Index = std::int32_t;

struct Nonzero {
  Index row = 0, column = 0;
  friend auto operator<=>(const Nonzero&, const Nonzero&) = default;
};

struct Pattern {
  std::string name;
  Index size = 0;                 ///< rows, and columns
  std::vector<Nonzero> nonzeros;  ///< by row and column, each once, the diagonal among them
};

/// A grid with points left out, one of twelve, and a diagonal in every other cell. depth 1: of two
/// dimensions.
Pattern mesh(const std::string& name, Index width, Index height, Index depth);
/// 2^scale nodes, so many directed edges for each before doubles are dropped; a, b, c: percent of the edges
/// in the upper left, upper right and lower left quarter.
struct RmatShape {
  int scale = 10, edges_of_a_node = 4, a = 57, b = 19, c = 19;
};
Pattern rmat(const std::string& name, const RmatShape& shape);

/// Those of the table.
std::vector<Pattern> patterns();

}  // namespace wan::bench
